// REQUIRES: nvcc
// RUN: cp %S/the-headers-are-quiet-everywhere.cu %t.cu
// RUN: %nvcc -arch=sm_90a -std=c++17 -rdc=true -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -I%include -c %t.cu -o %t.o
// RUN: %nvcc -arch=sm_90a -std=c++20 -rdc=true -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -I%include -c %t.cu -o %t.o
