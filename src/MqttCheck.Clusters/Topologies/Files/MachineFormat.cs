using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>How live nodes take their capability from their machine.</summary>
internal static class MachineFormat
{
    private static readonly JsonKind<double> s_weight = JsonKinds.Number(0, 1e6);

    /// <summary>The settings.</summary>
    public static JsonKind<MachineCapability> Kind { get; } =
        JsonFormat.Of<MachineCapability>(fields =>
            new()
            {
                Alpha = fields.Optional("alpha", s_weight, of => of.Alpha, 1),
                Beta = fields.Optional("beta", s_weight, of => of.Beta, 1),
                SampleSeconds = fields.Optional(
                    "sampleSeconds",
                    JsonKinds.Number(0.01, 3600),
                    of => of.SampleSeconds,
                    5
                ),
                Hysteresis = fields.Optional("hysteresis", s_weight, of => of.Hysteresis, 0.1),
            }
        );
}
