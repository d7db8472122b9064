// libOpenCL, loaded when it is first needed, with messages for its error codes.
//
// Declares the few functions, types and constants that are used, as in OpenCL 1.2, so that neither
// headers nor a library are needed for building.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/layer.hpp"

namespace parid::runtime::opencl {

using Int = std::int32_t;
using Uint = std::uint32_t;
using Bits = std::uint64_t;
struct PlatformOf;
struct DeviceOf;
struct ContextOf;
struct QueueOf;
struct BufferOf;
struct ProgramOf;
struct KernelOf;
using Platform = PlatformOf*;
using Device = DeviceOf*;
using Context = ContextOf*;
using Queue = QueueOf*;
using Buffer = BufferOf*;
using Program = ProgramOf*;
using Kernel = KernelOf*;

inline constexpr Bits every_kind = 0xffffffff;
inline constexpr Bits kind_cpu = 2, kind_gpu = 4, kind_accelerator = 8;
inline constexpr Uint platform_name = 0x0902;
inline constexpr Uint device_kind = 0x1000, device_units = 0x1002, device_memory = 0x101f,
                      device_name = 0x102b, device_version = 0x102f, device_double = 0x1032;
inline constexpr Uint build_log = 0x1183;
inline constexpr Bits write_only = 2, read_only = 4;
inline constexpr Int device_not_found = -1, no_platform = -1001;

struct Library {
  Int (*clGetPlatformIDs)(Uint, Platform*, Uint*);
  Int (*clGetPlatformInfo)(Platform, Uint, std::size_t, void*, std::size_t*);
  Int (*clGetDeviceIDs)(Platform, Bits, Uint, Device*, Uint*);
  Int (*clGetDeviceInfo)(Device, Uint, std::size_t, void*, std::size_t*);
  Context (*clCreateContext)(const std::intptr_t*, Uint, const Device*, void*, void*, Int*);
  Queue (*clCreateCommandQueue)(Context, Device, Bits, Int*);
  Buffer (*clCreateBuffer)(Context, Bits, std::size_t, void*, Int*);
  Program (*clCreateProgramWithSource)(Context, Uint, const char**, const std::size_t*, Int*);
  Int (*clBuildProgram)(Program, Uint, const Device*, const char*, void*, void*);
  Int (*clGetProgramBuildInfo)(Program, Device, Uint, std::size_t, void*, std::size_t*);
  Kernel (*clCreateKernel)(Program, const char*, Int*);
  Int (*clSetKernelArg)(Kernel, Uint, std::size_t, const void*);
  Int (*clEnqueueWriteBuffer)(Queue, Buffer, Uint, std::size_t, std::size_t, const void*, Uint,
                              const void*, void*);
  Int (*clEnqueueReadBuffer)(Queue, Buffer, Uint, std::size_t, std::size_t, void*, Uint,
                             const void*, void*);
  Int (*clEnqueueNDRangeKernel)(Queue, Kernel, Uint, const std::size_t*, const std::size_t*,
                                const std::size_t*, Uint, const void*, void*);
  Int (*clFinish)(Queue);
  Int (*clReleaseContext)(Context);
  Int (*clReleaseCommandQueue)(Queue);
  Int (*clReleaseMemObject)(Buffer);
  Int (*clReleaseProgram)(Program);
  Int (*clReleaseKernel)(Kernel);
};

// $PARID_OPENCL, or libOpenCL.so.1 where the loader finds it. Throws Error if there is none, or if
// it lacks one of the functions.
const Library& library();

// "CL_OUT_OF_RESOURCES (-5)"
std::string error_name(Int code);

}  // namespace parid::runtime::opencl
