// Dotted names, absolute offsets; arrays, unions and what hides its inside are leaves; members of bases go by the name
// that the source uses, and by the base's where a member hides them.
// RUN: %stage-cc -c %s -o %t.bc && %contract %t.bc | grep '"kind":"params"' | grep -o '"name":"[^"]*","offset":[0-9]*,"size":[0-9]*,"type"' | FileCheck %s
#include <cuda_fp16.h>
struct [[pipelink::stage("org.flat", "1.0.0")]] stage;
struct Base { int hidden; int inherited; };
struct Tile { short m; double n; struct { char deep; } inner; };
struct Empty {};
class Closed { int secret[4]; };

struct [[pipelink::params]] Params : Base {
  long hidden;
  Tile tile;
  struct { int anonymous; };
  union { int i; float f; } either;
  unsigned char bytes[3];
  Tile tiles[2];
  Empty empty;
  Closed closed;
  __half half;
  int : 5;
  bool last;
};
// CHECK:      "name":"Base.hidden","offset":0,"size":4,
// CHECK-NEXT: "name":"Base.inherited","offset":4,"size":4,
// CHECK-NEXT: "name":"hidden","offset":8,"size":8,
// CHECK-NEXT: "name":"tile.m","offset":16,"size":2,
// CHECK-NEXT: "name":"tile.n","offset":24,"size":8,
// CHECK-NEXT: "name":"tile.inner.deep","offset":32,"size":1,
// CHECK-NEXT: "name":"anonymous","offset":40,"size":4,
// CHECK-NEXT: "name":"either","offset":44,"size":4,
// CHECK-NEXT: "name":"bytes","offset":48,"size":3,
// CHECK-NEXT: "name":"tiles","offset":56,"size":48,
// CHECK-NEXT: "name":"closed","offset":108,"size":16,
// CHECK-NEXT: "name":"half","offset":124,"size":2,
// CHECK-NEXT: "name":"last","offset":127,"size":1,

struct Left { int x; };
struct [[pipelink::params]] Plain : Left { int y; };
// CHECK-NEXT: "name":"x","offset":0,"size":4,
// CHECK-NEXT: "name":"y","offset":4,"size":4,
// CHECK-NOT:  "name"
