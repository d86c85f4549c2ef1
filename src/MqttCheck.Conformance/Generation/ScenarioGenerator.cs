using System.Collections.Concurrent;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Random scenarios. Each line is drawn by a generator that is composed from the state in which the lines before leave
/// the functional model of each client: only inputs that the model allows there are drawn, and as likely as the state
/// makes them.
/// </summary>
public sealed class ScenarioGenerator
{
    // FsCheck's size from which on scenarios are as long as they may be.
    private const int FullSize = 50;

    // How many more lines a scenario gets to come to an interval of its own.
    private const int Patience = 6;

    private readonly GeneratorOptions _options;
    private readonly ConcurrentDictionary<(ScenarioSubject, bool), Gen<Scenario>> _about = new();

    /// <summary>A generator.</summary>
    /// <param name="options">The kinds of scenarios to generate.</param>
    public ScenarioGenerator(GeneratorOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        Scenarios = Gen.Frequency(
            (9, Gen.OneOf(Subjects(waits: false).Select(subject => About(subject, meetsOthers: false)))),
            (1, Gen.OneOf(Subjects(waits: false).Select(subject => About(subject, meetsOthers: true))))
        );
    }

    /// <summary>Scenarios without waits; how long they are depends on FsCheck's size.</summary>
    public Gen<Scenario> Scenarios { get; }

    /// <summary>
    /// The subjects of scenarios that wait, or of those that do not; those that need MQTT 5 only where it is among the
    /// versions. In those that wait, commands carry keep alive, will delay, and expiry of messages and sessions, and at
    /// least one wait lets an interval pass or run down. It lasts a few seconds, nearly all of them waiting.
    /// </summary>
    /// <param name="waits">Which.</param>
    public IEnumerable<ScenarioSubject> Subjects(bool waits) => Emphasis.Subjects(waits, _options.Versions);

    /// <summary>Scenarios about a subject; how long they are depends on FsCheck's size.</summary>
    /// <param name="subject">One of <see cref="Subjects"/>.</param>
    /// <param name="meetsOthers">Whether some filter takes what other runs publish; otherwise none does. A scenario
    /// that waits has none.</param>
    public Gen<Scenario> About(ScenarioSubject subject, bool meetsOthers) =>
        _about.GetOrAdd(
            (subject, meetsOthers),
            key => Emphasis.Of(key.Item1).Interval is null ? Exploring(key.Item1, key.Item2) : Waiting(key.Item1)
        );

    /// <summary>Scenarios for an FsCheck property, with shrinking.</summary>
    public Arbitrary<Scenario> ToArbitrary() => Arb.From(Scenarios, ScenarioShrinker.Shrink);

    /// <summary>One of the scenarios about a subject, of full size.</summary>
    /// <param name="subject">One of <see cref="Subjects"/>.</param>
    /// <param name="meetsOthers">As in <see cref="About"/>.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="number">Which of the scenarios of that seed.</param>
    public Scenario Generate(ScenarioSubject subject, bool meetsOthers, ulong seed, ulong number)
    {
        var random = RandomStream.For(seed, number);
        // FsCheck's streams differ by seed and increment, which is odd.
        var state = new Rnd(random.NextUInt64(), random.NextUInt64() | 1);
        return About(subject, meetsOthers).Sample(1, state, FullSize)[0];
    }

    private Gen<Scenario> Exploring(ScenarioSubject subject, bool meetsOthers) =>
        from theme in ScenarioTheme.All(_options, subject, meetsOthers)
        from clients in Gen.Frequency((4, Gen.Constant(2)), (4, Gen.Constant(3)), (2, Gen.Constant(4)))
        from length in Gen.Sized(size =>
            Gen.Choose(4, Math.Max(4, _options.MaximumSteps * Math.Min(size, FullSize) / FullSize))
        )
        from state in Continue(ScenarioState.Begin(theme, Math.Min(clients, _options.MaximumClients)), length)
        select state.ToScenario();

    private Gen<Scenario> Waiting(ScenarioSubject subject) =>
        from theme in ScenarioTheme.All(_options, subject, meetsOthers: false)
        from clients in Gen.Frequency((3, Gen.Constant(2)), (1, Gen.Constant(3)))
        from length in Gen.Sized(size => Gen.Choose(4, 4 + (8 * Math.Min(size, FullSize) / FullSize)))
        from state in ContinueUntilTimePassed(
            ScenarioState.Begin(theme, Math.Min(clients, _options.MaximumClients)),
            length
        )
        select state.ToScenario();

    private static Gen<ScenarioState> Continue(ScenarioState state, int length) =>
        state.Count >= length
            ? Gen.Constant(state)
            : StepGenerator.Next(state).SelectMany(step => Continue(state.After(step), length));

    // The lines after the last wait may observe its effect.
    private static Gen<ScenarioState> ContinueUntilTimePassed(ScenarioState state, int length)
    {
        if (!state.HasLetPass && state.Count >= length + Patience)
            return Go(StepGenerator.LetPass(state));
        return state.HasLetPass && state.Count >= length && state.SinceWait >= 2
            ? Gen.Constant(state)
            : Go(StepGenerator.Next(state));

        Gen<ScenarioState> Go(Gen<Step> next) =>
            next.SelectMany(step => ContinueUntilTimePassed(state.After(step), length));
    }
}
