#include "codegen/emit/targets.hpp"

#include "codegen/emit/languages.hpp"
#include "graph/text.hpp"

namespace parid::codegen {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"c", "C99: one function, no allocation, built-in sine and cosine",
       [](const Program& p, const EmitOptions& o) -> std::vector<EmittedFile> {
         const CFiles files = emit_c(p, {o.single_precision, o.libm_sin_cos, o.fma});
         return {{p.name + ".c", files.source}, {p.name + ".h", files.header}};
       }},
      {"cpp", "C++ with SIMD lanes: many samples, row-major arrays",
       [](const Program& p, const EmitOptions& o) -> std::vector<EmittedFile> {
         return {{p.name + ".cpp", emit_cpp(p, {o.lanes, o.single_precision})}};
       }},
      {"opencl", "OpenCL C: kernels with one sample per work item",
       [](const Program& p, const EmitOptions& o) -> std::vector<EmittedFile> {
         return {{p.name + ".cl", emit_opencl(p, o.single_precision)}};
       }},
      {"cuda", "CUDA C++: kernels with one sample per thread",
       [](const Program& p, const EmitOptions& o) -> std::vector<EmittedFile> {
         return {{p.name + ".cu", emit_cuda(p, o.single_precision)}};
       }},
      {"js", "JavaScript: one function over arrays",
       [](const Program& p, const EmitOptions&) -> std::vector<EmittedFile> {
         return {{p.name + ".js", emit_javascript(p)}};
       }},
      {"fortran", "Fortran 2003: a subroutine in a module",
       [](const Program& p, const EmitOptions& o) -> std::vector<EmittedFile> {
         FortranFile file = emit_fortran(p, o.single_precision);
         return {{file.name + ".f90", std::move(file.text)}};
       }},
      {"matlab", "MATLAB and GNU Octave: a function, one column per sample",
       [](const Program& p, const EmitOptions&) -> std::vector<EmittedFile> {
         MatlabFile file = emit_matlab(p);
         return {{file.name + ".m", std::move(file.text)}};
       }},
      {"dot", "Graphviz: the graph of operations",
       [](const Program& p, const EmitOptions&) -> std::vector<EmittedFile> {
         return {{p.name + ".dot", emit_dot(p)}};
       }},
      {"text", "plain text: one operation per line",
       [](const Program& p, const EmitOptions&) -> std::vector<EmittedFile> {
         return {{p.name + ".txt", text(p.graph)}};
       }},
      {"equations", "plain text: closed formulas, sums of products of sines and cosines",
       [](const Program& p, const EmitOptions&) -> std::vector<EmittedFile> {
         return {{p.name + ".eq", emit_equations(p)}};
       }},
      {"latex", "LaTeX: the closed formulas",
       [](const Program& p, const EmitOptions&) -> std::vector<EmittedFile> {
         return {{p.name + ".tex", emit_latex(p)}};
       }},
  };
  return all;
}

}  // namespace parid::codegen
