// attributes.cpp - the attributes: one class each, and the table of what each takes.
#include "attribute.h"

#include "clang/AST/Decl.h"

using namespace clang;

namespace pipelink {

// The most shared memory that any CTA can have is 227 KiB (CUDA C++ Programming Guide, "Compute Capabilities").
static const uint64_t sharedMost = 232448;

static const Argument stageArguments[] = {{Argument::Name, "package name", 0, 0, false, nullptr},
                                          {Argument::Version, "version", 0, 0, false, nullptr}};
static const Argument roleArguments[] = {{Argument::Name, "role name", 0, 0, false, nullptr},
                                         {Argument::Integer, "number of warps", 1, 32, false, nullptr}};
static const Argument paramsArguments[] = {{Argument::Word, "argument", 0, 0, false, "opaque"}};
static const Argument seamArguments[] = {{Argument::Name, "seam name", 0, 0, false, nullptr}};
static const Argument sharedArguments[] = {{Argument::Name, "buffer name", 0, 0, false, nullptr},
                                           {Argument::Integer, "number of bytes", 1, sharedMost, false, nullptr},
                                           {Argument::Integer, "alignment", 1, sharedMost, true, nullptr}};
static const Argument clusterArguments[] = {{Argument::Integer, "x extent", 1, clusterMost, false, nullptr},
                                            {Argument::Integer, "y extent", 1, clusterMost, false, nullptr},
                                            {Argument::Integer, "z extent", 1, clusterMost, false, nullptr}};

static const Argument gridArguments[] = {{Argument::Word, "argument", 0, 0, false, "co_resident"}};

static const Argument resourceArguments[] = {{Argument::Name, "resource name", 0, 0, false, nullptr}};
static const Argument warpsArguments[] = {{Argument::Integer, "least number of warps", 1, 32, false, nullptr},
                                          {Argument::Integer, "greatest number of warps", 1, 32, false, nullptr},
                                          {Argument::Integer, "multiple", 1, 32, false, nullptr}};
// What setmaxnreg takes (PTX ISA): 24 to 256 registers per thread in steps of 8.
static const Argument registersArguments[] = {
    {Argument::Integer, "least number of registers", 24, 256, false, nullptr, 8},
    {Argument::Integer, "preferred number of registers", 24, 256, false, nullptr, 8},
    {Argument::Integer, "greatest number of registers", 24, 256, false, nullptr, 8}};

static const Specification table[] = {
    {"stage", "stage(\"name\", \"1.0.0\")", "structs", stageArguments, 2},
    {"role", "role(\"name\", warps)", "functions", roleArguments, 2},
    {"params", "params or params(\"opaque\")", "structs", paramsArguments, 0},
    {"import", "import(\"name\")", "functions", seamArguments, 1},
    {"export", "export(\"name\")", "functions", seamArguments, 1},
    {"shared", "shared(\"name\", bytes, align)", "'extern __shared__' arrays", sharedArguments, 2},
    {"cluster", "cluster(x, y, z)", "functions", clusterArguments, 1},
    {"grid", "grid(\"co_resident\")", "functions", gridArguments, 1},
    {"warps", "warps(min, max, multiple)", "functions", warpsArguments, 2},
    {"registers", "registers(min, preferred, max)", "functions", registersArguments, 3},
    {"resource", "resource(\"name\")", "'extern __device__ const' variables", resourceArguments, 1},
};

llvm::ArrayRef<Specification> specifications() {
  return table;
}

namespace {

struct Stage final : Attribute {
  Stage() : Attribute("stage", "pipelink::stage", "pipelink_stage") {}
  bool appliesTo(const Decl *decl) const override { return isa<RecordDecl>(decl); }
};

struct Role final : Attribute {
  Role() : Attribute("role", "pipelink::role", "pipelink_role") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
  bool keeps() const override { return true; }
};

struct Params final : Attribute {
  Params() : Attribute("params", "pipelink::params", "pipelink_params") {}
  bool appliesTo(const Decl *decl) const override { return isa<RecordDecl>(decl); }
};

struct Import final : Attribute {
  Import() : Attribute("import", "pipelink::import", "pipelink_import") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
};

struct Export final : Attribute {
  Export() : Attribute("export", "pipelink::export", "pipelink_export") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
  bool keeps() const override { return true; }
};

struct Shared final : Attribute {
  Shared() : Attribute("shared", "pipelink::shared", "pipelink_shared") {}
  bool appliesTo(const Decl *decl) const override { return isa<VarDecl>(decl) && !isa<ParmVarDecl>(decl); }
};

struct Cluster final : Attribute {
  Cluster() : Attribute("cluster", "pipelink::cluster", "pipelink_cluster") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
};

struct Grid final : Attribute {
  Grid() : Attribute("grid", "pipelink::grid", "pipelink_grid") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
};

struct Warps final : Attribute {
  Warps() : Attribute("warps", "pipelink::warps", "pipelink_warps") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
};

struct Registers final : Attribute {
  Registers() : Attribute("registers", "pipelink::registers", "pipelink_registers") {}
  bool appliesTo(const Decl *decl) const override { return isa<FunctionDecl>(decl); }
};

struct Resource final : Attribute {
  Resource() : Attribute("resource", "pipelink::resource", "pipelink_resource") {}
  bool appliesTo(const Decl *decl) const override { return isa<VarDecl>(decl) && !isa<ParmVarDecl>(decl); }
};

} // namespace

template <typename Class> static void add(const char *name) {
  for (const auto &entry : ParsedAttrInfoRegistry::entries())
    if (entry.getName() == name)
      return;
  static ParsedAttrInfoRegistry::Add<Class> entry(name, "");
}

void registerAttributes() {
  add<Stage>("pipelink_stage");
  add<Role>("pipelink_role");
  add<Params>("pipelink_params");
  add<Import>("pipelink_import");
  add<Export>("pipelink_export");
  add<Shared>("pipelink_shared");
  add<Cluster>("pipelink_cluster");
  add<Grid>("pipelink_grid");
  add<Warps>("pipelink_warps");
  add<Registers>("pipelink_registers");
  add<Resource>("pipelink_resource");
}

} // namespace pipelink
