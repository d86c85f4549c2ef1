using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;

namespace MqttCheck.App.Estimate;

/// <summary>A property whose largest fleet is sought.</summary>
/// <param name="From">The smallest number of clients that is considered.</param>
/// <param name="To">The largest number of clients that is considered.</param>
internal sealed record LargestFleetRequest(
    TraceProperty Property,
    LearnedModel Model,
    IReadOnlyList<Population> Populations,
    int From,
    int To,
    PropertyOptions Options
);
