// role_options.cpp - see role_options.h.
#include "role_options.h"

#include "attribute.h"
#include "declaration_checks.h"
#include "report.h"

using namespace clang;
namespace json = llvm::json;
using llvm::Twine;

namespace pipelink {

static bool addCluster(Sema &sema, const AnnotateAttr *cluster, json::Object &node) {
  json::Array extents;
  uint64_t size = 1;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t extent = i < cluster->args_size() ? integerArgument(sema.Context, cluster, i) : 1;
    extents.push_back(static_cast<int64_t>(extent));
    size *= extent;
  }
  if (size > clusterMost) {
    error(sema.getDiagnostics(), cluster->getLocation(),
          "'pipelink::cluster': " + Twine(size) + " CTAs in a cluster; " + Twine(clusterMost) + " are the most");
    return false;
  }
  node["cluster"] = std::move(extents);
  return true;
}

static bool addGrid(const AnnotateAttr *grid, json::Object &node) {
  node["grid"] = stringArgument(grid, 0);
  return true;
}

static bool addWarps(Sema &sema, const AnnotateAttr *range, uint64_t warps, json::Object &node) {
  uint64_t least = integerArgument(sema.Context, range, 0), most = integerArgument(sema.Context, range, 1);
  uint64_t multiple = range->args_size() > 2 ? integerArgument(sema.Context, range, 2) : 1;
  auto refuse = [&](const Twine &what) {
    error(sema.getDiagnostics(), range->getLocation(), "'pipelink::warps': " + what);
    return false;
  };
  if (warps < least || warps > most)
    return refuse("the role's " + Twine(warps) + " warps are not among " + Twine(least) + " to " + Twine(most));
  for (uint64_t each : {least, warps, most})
    if (each % multiple)
      return refuse(Twine(each) + " is not a multiple of " + Twine(multiple));
  node["warps_min"] = static_cast<int64_t>(least);
  node["warps_max"] = static_cast<int64_t>(most);
  node["warps_multiple"] = static_cast<int64_t>(multiple);
  return true;
}

static bool addRegisters(Sema &sema, const AnnotateAttr *registers, json::Object &node) {
  json::Array counts;
  uint64_t previous = 0;
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t count = integerArgument(sema.Context, registers, i);
    if (count < previous) {
      error(sema.getDiagnostics(), registers->args_begin()[i]->getExprLoc(),
            "'pipelink::registers': " + Twine(count) + " is less than the " + Twine(previous) + " before it");
      return false;
    }
    counts.push_back(static_cast<int64_t>(count));
    previous = count;
  }
  node["registers"] = std::move(counts);
  return true;
}

bool addRoleOptions(Sema &sema, const FunctionDecl *function, uint64_t warps, json::Object &node) {
  const AnnotateAttr *cluster = findAnnotation(function, "cluster");
  const AnnotateAttr *grid = findAnnotation(function, "grid");
  const AnnotateAttr *range = findAnnotation(function, "warps");
  const AnnotateAttr *registers = findAnnotation(function, "registers");
  return (!cluster || (checkArguments(sema, function, cluster, "cluster") && addCluster(sema, cluster, node))) &&
         (!grid || (checkArguments(sema, function, grid, "grid") && addGrid(grid, node))) &&
         (!range || (checkArguments(sema, function, range, "warps") && addWarps(sema, range, warps, node))) &&
         (!registers ||
          (checkArguments(sema, function, registers, "registers") && addRegisters(sema, registers, node)));
}

} // namespace pipelink
