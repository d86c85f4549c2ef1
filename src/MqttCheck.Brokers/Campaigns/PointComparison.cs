using MqttCheck.Comparison;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The comparison of two brokers at one threshold of one setup.</summary>
/// <param name="Setup">The setup.</param>
/// <param name="ThresholdMilliseconds">The threshold.</param>
/// <param name="First">Index of the first broker; null for the stored runs.</param>
/// <param name="Second">Index of the second broker.</param>
/// <param name="Result">The result of the test.</param>
internal sealed record PointComparison(
    ComparedSetup Setup,
    double ThresholdMilliseconds,
    int? First,
    int Second,
    TwoSampleResult Result
);
