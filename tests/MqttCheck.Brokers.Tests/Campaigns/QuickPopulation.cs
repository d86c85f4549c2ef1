using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Campaigns;

/// <summary>Clients whose sequences end within milliseconds.</summary>
internal static class QuickPopulation
{
    public static Population Value { get; } =
        Population.Of(
            new UsageProfile
            {
                Name = "quick",
                WaitMilliseconds = new UniformLaw(0, 5),
                Weights = new(1, 1, 6, 2, 1),
                SequenceLength = 5,
            }
        );
}
