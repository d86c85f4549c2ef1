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

    /// <summary>A generator.</summary>
    /// <param name="options">What to generate.</param>
    public ScenarioGenerator(GeneratorOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Scenarios =
            from theme in ScenarioTheme.All(options, timePasses: false)
            from clients in Gen.Frequency((4, Gen.Constant(2)), (4, Gen.Constant(3)), (2, Gen.Constant(4)))
            from length in Gen.Sized(size =>
                Gen.Choose(4, Math.Max(4, options.MaximumSteps * Math.Min(size, FullSize) / FullSize))
            )
            from state in Continue(ScenarioState.Begin(theme, Math.Min(clients, options.MaximumClients)), length)
            select state.ToScenario();
        WaitingScenarios =
            from theme in ScenarioTheme.All(options, timePasses: true)
            from clients in Gen.Frequency((3, Gen.Constant(2)), (1, Gen.Constant(3)))
            from length in Gen.Sized(size => Gen.Choose(4, 4 + (8 * Math.Min(size, FullSize) / FullSize)))
            from state in ContinueUntilTimePassed(
                ScenarioState.Begin(theme, Math.Min(clients, options.MaximumClients)),
                length
            )
            select state.ToScenario();
    }

    /// <summary>Scenarios without waits; how long they are depends on FsCheck's size.</summary>
    public Gen<Scenario> Scenarios { get; }

    /// <summary>
    /// Scenarios in which time passes: commands carry keep alive, will delay, and expiry of messages and sessions, and
    /// at least one wait lets an interval pass or run down. It lasts a few seconds, nearly all of them waiting.
    /// </summary>
    public Gen<Scenario> WaitingScenarios { get; }

    /// <summary>Scenarios for an FsCheck property, with shrinking.</summary>
    public Arbitrary<Scenario> ToArbitrary() => Arb.From(Scenarios, ScenarioShrinker.Shrink);

    /// <summary>One of <see cref="Scenarios"/>, of full size.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="number">Which of the scenarios of that seed.</param>
    public Scenario Generate(ulong seed, ulong number) => Draw(Scenarios, seed, number);

    /// <summary>One of <see cref="WaitingScenarios"/>, of full size.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="number">Which of the scenarios of that seed.</param>
    public Scenario GenerateWaiting(ulong seed, ulong number) => Draw(WaitingScenarios, seed, number);

    private static Scenario Draw(Gen<Scenario> scenarios, ulong seed, ulong number)
    {
        var random = RandomStream.For(seed, number);
        // FsCheck's streams differ by seed and increment, which is odd.
        return scenarios.Sample(1, new Rnd(random.NextUInt64(), random.NextUInt64() | 1), FullSize)[0];
    }

    private static Gen<ScenarioState> Continue(ScenarioState state, int length) =>
        state.Count >= length
            ? Gen.Constant(state)
            : StepGenerator.Next(state).SelectMany(step => Continue(state.After(step), length));

    // Behind the last wait come lines that may see what it brought about.
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
