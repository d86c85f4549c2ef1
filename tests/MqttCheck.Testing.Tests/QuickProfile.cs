using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Testing.Tests;

/// <summary>Clients that hardly wait, so that a run takes a fraction of a second.</summary>
internal static class QuickProfile
{
    public static UsageProfile Create(QualityOfService qos = QualityOfService.AtLeastOnce) =>
        new()
        {
            Name = "quick",
            WaitMilliseconds = new UniformLaw(0, 10),
            Weights = new MessageWeights(1, 1, 6, 2, 1),
            Qos = qos,
        };
}
