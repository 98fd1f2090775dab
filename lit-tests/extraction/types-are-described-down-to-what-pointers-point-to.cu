// RUN: %stage-cc -c %s -o %t.bc && %contract %t.bc > %t.txt && FileCheck %s < %t.txt
#include <cuda_fp16.h>
struct [[pipelink::stage("org.types", "1.0.0")]] stage;
enum class Mode : unsigned char { A };
struct Incomplete;
struct Base { int b; };
struct Derived : Base { int low : 3; unsigned high : 5; int &reference; };
struct Node { Node *next; const Derived *payload; };
typedef float Four __attribute__((ext_vector_type(4)));
template <class T> struct Pair { T x, y; };

// CHECK: "arguments":[{"align":1,"kind":"bool","name":"bool","size":1},{"align":1,"bits":8,"kind":"integer","name":"signed char","signed":true,"size":1},{"align":8,"bits":64,"kind":"integer","name":"size_t","signed":false,"size":8},{"align":16,"bits":128,"kind":"integer","name":"__int128","signed":true,"size":16},{"align":1,"bits":8,"kind":"integer","name":"Mode","signed":false,"size":1}],
// CHECK-SAME: "result":{"align":1,"kind":"void","name":"void","size":0}
[[pipelink::import("integers")]] __device__ void integers(bool, signed char, size_t, __int128, Mode);

// CHECK: "arguments":[{"align":2,"bits":16,"kind":"float","name":"_Float16","size":2},{"align":2,"bfloat":true,"bits":16,"kind":"float","name":"__bf16","size":2},{"align":8,"bits":64,"kind":"float","name":"double","size":8},{"align":16,"count":4,"element":{{{.*}}"name":"float","size":4},"kind":"vector","name":"Four","size":16}],
// CUDA's half is a class to the compiler, and passed like one.
// CHECK-SAME: "result":{"align":2,"fields":[{"name":"__x","offset":0,"type":{"align":2,"bits":16,"kind":"integer",{{.*}}}}],"kind":"struct","name":"__half","size":2}
[[pipelink::import("floats")]] __device__ __half floats(_Float16, __bf16, double, Four);

// const belongs to what is pointed to; a reference is a pointer; void and functions end the way.
// CHECK: "arguments":[{"align":8,"const":true,"element":{"align":1,"kind":"void",{{[^}]*}}},"kind":"pointer","name":"const void *","size":8},{"align":8,"const":false,"element":{"align":4,"count":3,"element":{{{[^}]*}}},"kind":"array","name":"int[3]","size":12},"kind":"pointer","name":"int (&)[3]","size":8},{"align":8,"const":true,"element":{"align":8,"const":false,"element":{{{[^}]*}}},"kind":"pointer","name":"float *","size":8},"kind":"pointer","name":"float *const *","size":8},{"align":8,"const":false,"element":{"align":1,"kind":"function","name":"void (int)","size":0},"kind":"pointer","name":"void (*)(int)","size":8},{"align":8,"const":false,"element":{"align":1,"kind":"opaque","name":"Incomplete","size":0},"kind":"pointer",
[[pipelink::import("pointers")]] __device__ void pointers(const void *, int (&)[3], float *const *, void (*)(int), Incomplete *);

// A struct that contains itself is cut where it comes again; bases are fields; bit-fields have a place in bits.
// CHECK: "element":{"align":8,"fields":[{"name":"next","offset":0,"type":{"align":8,"const":false,"element":{"align":8,"kind":"struct","name":"Node","recursive":true,"size":16},"kind":"pointer","name":"Node *","size":8}},{"name":"payload","offset":8,"type":{"align":8,"const":true,"element":{"align":8,"fields":[{"name":"Base","offset":0,"type":{"align":4,"fields":[{"name":"b","offset":0,"type":{{{[^}]*}}}}],"kind":"struct","name":"Base","size":4}},{"bit_offset":0,"bit_width":3,"name":"low","offset":4,"type":{{{[^}]*}}}},{"bit_offset":3,"bit_width":5,"name":"high","offset":4,"type":{{{[^}]*}}}},{"name":"reference","offset":8,"type":{"align":8,"const":false,"element":{{{[^}]*}}},"kind":"pointer","name":"int &","size":8}}],"kind":"struct","name":"Derived","size":16}
[[pipelink::import("structs")]] __device__ void structs(Node *);

// A template that nobody has instantiated yet has a layout all the same.
// CHECK: "element":{"align":4,"fields":[{"name":"x","offset":0,"type":{{{[^}]*}}}},{"name":"y","offset":4,"type":{{{[^}]*}}}}],"kind":"struct","name":"Pair<float>","size":8}
[[pipelink::import("templates")]] __device__ void templates(Pair<float> *);
