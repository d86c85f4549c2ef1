using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Simulation;
using static System.FormattableString;

namespace MqttCheck.Automata.Clients;

/// <summary>
/// The functional model of a client under a usage profile, with the latencies of a model, as a network of stochastic
/// timed automata: one automaton per client, sharing what the latencies depend on. It is the same process as
/// <see cref="FleetSimulation"/> simulates, and draws the same numbers from the same streams.
/// </summary>
/// <remarks>
/// Time is in milliseconds. One client is observed: the shared variable <c>worst</c> holds the largest latency of its
/// counted messages so far, <c>done</c> says whether its counted sequences have ended. Clients of a group are alike, so
/// the observed one stands for its group.
/// </remarks>
public static class ClientNetwork
{
    /// <summary>
    /// Name of the shared variable with the largest latency of the observed client's counted messages, in milliseconds.
    /// </summary>
    public const string Worst = "worst";

    /// <summary>
    /// Name of the shared variable that says whether the observed client's counted sequences have ended.
    /// </summary>
    public const string Done = "done";

    /// <summary>
    /// Name of the shared variable with what is known of a latency that is being revealed, in milliseconds.
    /// </summary>
    internal const string Foreseen = "foreseen";

    /// <summary>The network of a setup.</summary>
    /// <param name="setup">Who does what.</param>
    /// <param name="model">
    /// Who answers a message, after what time: one law per kind, or the regression of the paper.
    /// </param>
    /// <param name="observed">Number of the observed client, from 0.</param>
    /// <exception cref="InputException">
    /// A value of the setup is not allowed, or an automaton cannot carry the model.
    /// </exception>
    public static AutomataNetwork Of(SimulatedFleet setup, LatencyModel model, int observed = 0)
    {
        return Of(setup, ClientLatency.From(model), observed);
    }

    /// <summary>
    /// The condition that all counted messages of the observed client were answered within a time; not yet true before
    /// its sequences have ended.
    /// </summary>
    /// <param name="thresholdMilliseconds">The time.</param>
    public static Expression AllInTime(double thresholdMilliseconds) =>
        Expression.Of(Done) & (Expression.Of(Worst) < thresholdMilliseconds);

    /// <summary>
    /// The rare event that a message of the observed client takes at least a time, ready for splitting: its latencies
    /// are revealed step by step, and the level is what is known of the largest one.
    /// </summary>
    /// <param name="setup">Who does what.</param>
    /// <param name="model">
    /// Who answers a message, after what time; a model that an automaton cannot carry is replaced, see
    /// <see cref="ClientApproximation"/>.
    /// </param>
    /// <param name="thresholdMilliseconds">The time, positive.</param>
    /// <param name="observed">Number of the observed client, from 0.</param>
    /// <returns>The network, the property, the level, and what was replaced in the model.</returns>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public static (
        AutomataNetwork Network,
        NetworkProperty.Probability Property,
        Expression Level,
        IReadOnlyList<string> Notes
    ) Late(SimulatedFleet setup, LatencyModel model, double thresholdMilliseconds, int observed = 0)
    {
        if (!(thresholdMilliseconds > 0 && double.IsFinite(thresholdMilliseconds)))
            throw new InputException(Invariant($"threshold is {thresholdMilliseconds} ms; allowed: a positive time"));
        var approximation = ClientLatency.CanCarry(model) ? null : ClientApproximation.Of(setup, model);
        var latency = (approximation?.Latency ?? ClientLatency.From(model)) with { Stages = LawSegment.Stages };
        return (
            Of(setup, latency, observed),
            new(
                "late",
                new PathFormula.Until(
                    !Expression.Of(Done),
                    Expression.Of(Worst) >= thresholdMilliseconds,
                    TimeBound.Any
                )
            ),
            Expression.Min(1, Expression.Max(Expression.Of(Worst), Expression.Of(Foreseen)) / thresholdMilliseconds),
            approximation?.Notes ?? []
        );
    }

    internal static AutomataNetwork Of(SimulatedFleet setup, ClientLatency latency, int observed)
    {
        setup.Valid();
        if (observed < 0 || observed >= setup.Clients)
            throw new InputException(Invariant($"observed client is {observed}; allowed: 0 .. {setup.Clients - 1}"));
        if (setup.TimerGridMilliseconds != 0)
            throw new InputException(
                Invariant($"timer grid is {setup.TimerGridMilliseconds} ms; allowed for an automaton: 0 (none)")
            );
        if (
            setup.Population.Groups.FirstOrDefault(group =>
                group.Profile is not { Waits: null, PayloadLaw: null, CleanSessions: false }
            ) is
            { } group
        )
            throw new InputException(
                $"profile {group.Profile.Name} has waits by kind of message, a law of payload sizes, or clean "
                    + "sessions; allowed for an automaton: one wait, sizes between bounds, persistent sessions"
            );
        RequireOneLoad(setup.Population);
        var groups = setup.Population.Assign(setup.Clients).ToArray();
        var topics = setup.Population.Topics;
        List<VariableDeclaration> shared = [new(Worst, VariableType.Real), new(Done, VariableType.Boolean)];
        if (latency.Stages > 0)
            shared.Add(new(Foreseen, VariableType.Real));
        if (latency.UsesActive)
            shared.Add(new(ClientLatency.Active, VariableType.Integer));
        if (latency.UsesSubscriptions)
            shared.AddRange([
                new(ClientLatency.TotalSubscriptions, VariableType.Integer),
                new(ClientAutomaton.Subscribers, VariableType.Integer, Length: topics),
            ]);
        return new()
        {
            Name = Invariant($"{setup.Population.Name}, {setup.Clients} clients"),
            Variables = [.. shared],
            Automata =
            [
                .. Enumerable
                    .Range(0, setup.Clients)
                    .Select(client =>
                        new ClientAutomaton(
                            setup.Population.Groups[groups[client]].Profile,
                            latency,
                            client == observed ? setup.Sequences : 0
                        ).Named(Invariant($"client{client}"))
                    ),
            ],
        };
    }

    private static void RequireOneLoad(Population population)
    {
        if (population.Groups.Select(group => group.Profile.TopicName).Distinct().Count() > 1)
            throw new InputException(
                $"population {population.Name}: its groups have several \"topicName\"s, which an automaton cannot "
                    + "follow; allowed: one in all of them, or 'mqttcheck predict', which follows them"
            );
        foreach (var profile in population.Groups.Select(group => group.Profile))
        {
            var key =
                profile.Stages.Count > 0 ? "stages"
                : profile.ConnectsPerSecond is not null ? "connectsPerSecond"
                : profile.RampUpSeconds > 0 ? "rampUpSeconds"
                : profile.ShareName is not null ? "sharedSubscription"
                : BehaviourKeys.FirstOf(profile);
            if (key is not null)
                throw new InputException(
                    $"profile {profile.Name}: \"{key}\" is given, which an automaton cannot follow; allowed: a copy of "
                        + "the profile without it, or 'mqttcheck predict', which follows it"
                );
        }
    }
}
