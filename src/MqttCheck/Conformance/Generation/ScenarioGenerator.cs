using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance;

/// <summary>Random scenarios, generated from the state of their clients so that nearly every command has an effect.</summary>
public sealed class ScenarioGenerator
{
    private readonly GeneratorOptions _options;

    /// <summary>A generator.</summary>
    /// <param name="options">What to generate.</param>
    public ScenarioGenerator(GeneratorOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
    }

    /// <summary>Scenarios for an FsCheck property, with shrinking.</summary>
    public Arbitrary<Scenario> ToArbitrary() => Arb.From(
        Gen.Sized(size => ArbMap.Default.GeneratorFor<ulong>().Select(seed => Generate(RandomStream.For(seed), size))), ScenarioShrinker.Shrink);

    /// <summary>One scenario.</summary>
    /// <param name="random">Where chance comes from.</param>
    /// <param name="size">How long it may be, 0 .. 100; 50 and above for the longest.</param>
    public Scenario Generate(RandomStream random, int size = 50)
    {
        var version = _options.Versions[random.NextInt(_options.Versions.Count)];
        var clients = Math.Min(_options.MaximumClients, random.NextInt(10) switch { < 4 => 2, < 8 => 3, _ => 4 });
        var most = Math.Max(4, _options.MaximumSteps * Math.Min(size, 50) / 50);
        return new ScenarioDraft(_options, version, clients, random).Complete(4 + random.NextInt(Math.Max(1, most - 3)));
    }

    /// <summary>One scenario in which time passes: keep alive, expiry of messages and sessions, delayed wills. It lasts a few seconds, nearly all of them waiting.</summary>
    /// <param name="random">Where chance comes from.</param>
    public Scenario GenerateWaiting(RandomStream random)
    {
        var version = _options.Versions[random.NextInt(_options.Versions.Count)];
        return new ScenarioDraft(_options, version, 2, random).Wait();
    }
}
