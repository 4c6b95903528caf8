/* NVML as the energy meter calls it: a device whose counter rises by half a joule with each reading. */
#include <stdlib.h>

int nvmlInit_v2(void) {
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* pci_bus, void** device) {
  *device = (void*)pci_bus;
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  static unsigned long long counter = 7000;
  (void)device;
  *millijoules = counter += 500;
  return getenv("FAKE_NVML_STATUS") == NULL ? 0 : atoi(getenv("FAKE_NVML_STATUS"));
}

const char* nvmlErrorString(int status) {
  return status == 3 ? "Not Supported" : "Unknown Error";
}
