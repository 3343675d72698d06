#include "study/micro.h"
namespace rigcast::study {
__attribute__((weak)) MicroForecast forecast_kernel_row(const Row&, const config::Library&, const hardware::Profile&) { return {0, {}, "pending"}; }
__attribute__((weak)) MicroForecast forecast_transfer_row(const Row&, const config::Library&, const hardware::Profile&) { return {0, {}, "pending"}; }
}
