#include "runtime/device/opencl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "parid/error.hpp"

namespace parid::runtime::opencl {
namespace {

template <class Function>
void find(void* handle, const std::string& path, const char* name, Function& to) {
  to = reinterpret_cast<Function>(::dlsym(handle, name));
  if (!to)
    throw Error(
        fmt::format("{}: it has no function {}; install an OpenCL loader of version 1.2 or "
                    "later, such as ocl-icd-libopencl1",
                    path, name));
}

Library loaded() {
  const char* chosen = std::getenv("PARID_OPENCL");
  const std::string path = chosen && *chosen ? chosen : "libOpenCL.so.1";
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // for the life of the process
  if (!handle) {
    const char* reason = ::dlerror();
    throw Error(fmt::format(
        "OpenCL is not installed ({}); install its loader and a driver for the device, for example "
        "apt install ocl-icd-libopencl1, and pocl-opencl-icd for the CPU",
        reason ? reason : path));
  }
  Library l;
#define PARID_FIND(name) find(handle, path, #name, l.name)
  PARID_FIND(clGetPlatformIDs);
  PARID_FIND(clGetPlatformInfo);
  PARID_FIND(clGetDeviceIDs);
  PARID_FIND(clGetDeviceInfo);
  PARID_FIND(clCreateContext);
  PARID_FIND(clCreateCommandQueue);
  PARID_FIND(clCreateBuffer);
  PARID_FIND(clCreateProgramWithSource);
  PARID_FIND(clBuildProgram);
  PARID_FIND(clGetProgramBuildInfo);
  PARID_FIND(clCreateKernel);
  PARID_FIND(clSetKernelArg);
  PARID_FIND(clEnqueueWriteBuffer);
  PARID_FIND(clEnqueueReadBuffer);
  PARID_FIND(clEnqueueNDRangeKernel);
  PARID_FIND(clFinish);
  PARID_FIND(clReleaseContext);
  PARID_FIND(clReleaseCommandQueue);
  PARID_FIND(clReleaseMemObject);
  PARID_FIND(clReleaseProgram);
  PARID_FIND(clReleaseKernel);
#undef PARID_FIND
  return l;
}

}  // namespace

const Library& library() {
  static const Library one = loaded();
  return one;
}

std::string error_name(Int code) {
  struct Name {
    Int code;
    const char* name;
  };
  static constexpr Name names[] = {
      {-1, "CL_DEVICE_NOT_FOUND"},          {-2, "CL_DEVICE_NOT_AVAILABLE"},
      {-3, "CL_COMPILER_NOT_AVAILABLE"},    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {-5, "CL_OUT_OF_RESOURCES"},          {-6, "CL_OUT_OF_HOST_MEMORY"},
      {-11, "CL_BUILD_PROGRAM_FAILURE"},    {-30, "CL_INVALID_VALUE"},
      {-33, "CL_INVALID_DEVICE"},           {-34, "CL_INVALID_CONTEXT"},
      {-36, "CL_INVALID_COMMAND_QUEUE"},    {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
      {-46, "CL_INVALID_KERNEL_NAME"},      {-52, "CL_INVALID_KERNEL_ARGS"},
      {-54, "CL_INVALID_WORK_GROUP_SIZE"},  {-61, "CL_INVALID_BUFFER_SIZE"},
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
  };
  for (const Name& n : names)
    if (n.code == code) return fmt::format("{} ({})", n.name, code);
  return fmt::format("OpenCL error {}", code);
}

}  // namespace parid::runtime::opencl
