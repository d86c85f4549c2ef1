using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Simulation;

/// <summary>Profiles for tests of the simulator.</summary>
internal static class TestProfiles
{
    public static UsageProfile Up1 { get; } =
        new()
        {
            Name = "up1",
            WaitMilliseconds = new UniformLaw(0, 500),
            Weights = new MessageWeights(1, 1, 5, 3, 2),
        };

    public static UsageProfile Up2 { get; } =
        new()
        {
            Name = "up2",
            WaitMilliseconds = new UniformLaw(50, 250),
            Weights = new MessageWeights(1, 1, 7, 1, 1),
        };

    /// <summary>Waits of the given law and nothing but publications after the connect.</summary>
    public static UsageProfile Publisher(Law waitMilliseconds, int length = 10) =>
        new()
        {
            Name = "publisher",
            WaitMilliseconds = waitMilliseconds,
            Weights = new MessageWeights(1, 0, 1, 0, 0),
            SequenceLength = length,
        };
}
