using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Tests.Generation;

/// <summary>Scenarios of full size about any subject.</summary>
internal static class ScenarioDraws
{
    public static Gen<Scenario> WaitingScenarios(this ScenarioGenerator generator) =>
        Gen.OneOf(generator.Subjects(waits: true).Select(subject => generator.About(subject, meetsOthers: false)));

    public static Scenario Generate(this ScenarioGenerator generator, ulong seed, ulong number) =>
        Draw(generator.Scenarios, seed, number);

    public static Scenario GenerateWaiting(this ScenarioGenerator generator, ulong seed, ulong number) =>
        Draw(generator.WaitingScenarios(), seed, number);

    private static Scenario Draw(Gen<Scenario> scenarios, ulong seed, ulong number)
    {
        var random = RandomStream.For(seed, number);
        return scenarios.Sample(1, new Rnd(random.NextUInt64(), random.NextUInt64() | 1), 50)[0];
    }
}
