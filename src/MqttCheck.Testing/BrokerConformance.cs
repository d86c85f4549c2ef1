using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Rights;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Testing;

/// <summary>
/// Checks brokers against the MQTT standard: <c>Requirement.Conformance().Decide(await
/// broker.Check(10.Seconds()))</c>.
/// </summary>
public static class BrokerConformance
{
    /// <summary>
    /// Explores the broker by random scenarios of concurrent clients. Each deviation is repeated, shrunk to a few
    /// commands and confirmed.
    /// </summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="budget">
    /// How long to explore; shrinking what is found last may take some seconds longer. Positive.
    /// </param>
    /// <param name="options">How to check.</param>
    /// <param name="cancellation">Ends the check in order.</param>
    /// <returns>The result, for <see cref="Requirement.Conformance"/>.</returns>
    /// <exception cref="InputException">A value is out of its range, or a statement unknown.</exception>
    /// <exception cref="BrokerException">The broker accepts none of the versions.</exception>
    public static Task<ConformanceResult> Check(
        this IBrokerUnderTest broker,
        TimeSpan budget,
        ConformanceOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(broker);
        options ??= new();
        if (budget <= TimeSpan.Zero)
            throw new InputException($"conformance: the time is {budget}; it must be positive.");
        if (options.Scenarios < 1)
            throw new InputException(
                $"conformance: the number of scenarios is {options.Scenarios}; it must be at least 1."
            );
        if (options.Versions.Count == 0)
            throw new InputException("conformance: no protocol version given; allowed: one or more.");
        var unknown = options.Except.Where(name => Statements.All.All(statement => statement.Name != name)).ToArray();
        if (unknown.Length > 0)
            throw new InputException(
                $"conformance: '{string.Join("', '", unknown)}' given as statements; allowed: "
                    + $"{string.Join(", ", Statements.All.Select(statement => statement.Name))}."
            );
        // The check blocks a thread; the test's own may be the only one of its kind.
        return Task.Run(
            () => Turns.Take(() => Explore(broker, budget, options, cancellation), cancellation),
            CancellationToken.None
        );
    }

    /// <summary>
    /// Runs one scenario, for a property of FsCheck: <c>Prop.ForAll(new ScenarioGenerator(options).ToArbitrary(),
    /// scenario =&gt; broker.Run(scenario).Deviations.Count == 0)</c>.
    /// </summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="scenario">The actions of the clients.</param>
    /// <returns>The observations, and those of them that deviate from the standard.</returns>
    public static ScenarioResult Run(this IBrokerUnderTest broker, Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(broker);
        ArgumentNullException.ThrowIfNull(scenario);
        using var wire = WireFactory.Create(new WireOptions());
        return new ScenarioRunner(wire, CheckTarget.Of(broker), ScenarioRunner.NewPrefix()).Run(
            scenario,
            new CheckTiming()
        );
    }

    private static ConformanceResult Explore(
        IBrokerUnderTest broker,
        TimeSpan budget,
        ConformanceOptions options,
        CancellationToken cancellation
    )
    {
        var seed = new MeasureOptions { Seed = options.Seed }.EffectiveSeed;
        using var wire = WireFactory.Create(new WireOptions());
        var target = CheckTarget.Of(broker);
        ProtocolVersion[] versions =
        [
            .. options
                .Versions.Distinct()
                .Where(version => ScenarioRunner.Refusal(wire, target, version, cancellation) is null),
        ];
        if (versions.Length == 0)
            throw new BrokerException(
                broker.Failure
                    ?? $"Broker {broker.Description.Name} accepts none of the protocol versions "
                        + $"{string.Join(", ", options.Versions.Select(ConformanceResult.Name))}."
            );
        foreach (var version in versions)
            CheckRights.Require(broker, version, ScenarioRunner.NewPrefix(), _ => { }, cancellation);
        var check = new ConformanceCheck(
            wire,
            target,
            ScenarioRunner.NewPrefix(),
            new()
            {
                Seed = seed,
                Counts = statement => !options.Except.Contains(statement.Name),
                Generator = new()
                {
                    StaysBelowPrefix = broker.TopicPrefix.Length > 0,
                    Versions = [.. versions],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        );
        var report = check.Explore(budget, options.Scenarios, cancellation);
        cancellation.ThrowIfCancellationRequested();
        return new(broker, versions, seed, report);
    }
}
