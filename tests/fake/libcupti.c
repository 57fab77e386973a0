/* A CUPTI for tests: everything works until counters are asked for, which gives the error whose
 * number is in $FAKE_CUPTI (35: the driver keeps counters for administrators). */
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <stdlib.h>

#define ACCEPTS(name)                                                                              \
    CUptiResult name(void *params)                                                                 \
    {                                                                                              \
        (void)params;                                                                              \
        return CUPTI_SUCCESS;                                                                      \
    }

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
    (void)result;
    *text = "FAKE_CUPTI_ERROR";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params)
{
    params->pChipName = "GH100";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params *params)
{
    params->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *params)
{
    const char *code = getenv("FAKE_CUPTI");
    params->counterAvailabilityImageSize = 16;
    return (CUptiResult)(code ? atoi(code) : 0);
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *params)
{
    (void)params;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params *params)
{
    (void)params;
    return CUPTI_SUCCESS;
}

ACCEPTS(cuptiProfilerHostInitialize)
ACCEPTS(cuptiProfilerHostDeinitialize)
ACCEPTS(cuptiProfilerHostConfigAddMetrics)
ACCEPTS(cuptiProfilerHostGetConfigImageSize)
ACCEPTS(cuptiProfilerHostGetConfigImage)
ACCEPTS(cuptiProfilerHostGetNumOfPasses)
ACCEPTS(cuptiProfilerHostEvaluateToGpuValues)
ACCEPTS(cuptiRangeProfilerEnable)
ACCEPTS(cuptiRangeProfilerDisable)
ACCEPTS(cuptiRangeProfilerSetConfig)
ACCEPTS(cuptiRangeProfilerStart)
ACCEPTS(cuptiRangeProfilerStop)
ACCEPTS(cuptiRangeProfilerPushRange)
ACCEPTS(cuptiRangeProfilerPopRange)
ACCEPTS(cuptiRangeProfilerDecodeData)
ACCEPTS(cuptiRangeProfilerGetCounterDataSize)
ACCEPTS(cuptiRangeProfilerCounterDataImageInitialize)
ACCEPTS(cuptiRangeProfilerGetCounterDataInfo)
