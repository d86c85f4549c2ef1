using MqttCheck.Profiles;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Properties;

/// <summary>Nine sensors, which only publish, for each dashboard, which only subscribes.</summary>
internal static class TwoGroups
{
    public static Population Population { get; } =
        new()
        {
            Name = "plant",
            Groups =
            [
                new("sensors", 9, TestProfiles.Up1 with { Name = "sensors", Weights = new(1, 0, 1, 0, 0) }),
                new("dashboards", 1, TestProfiles.Up1 with { Name = "dashboards", Weights = new(1, 0, 0, 1, 0) }),
            ],
        };
}
