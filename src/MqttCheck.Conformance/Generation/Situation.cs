using MqttCheck.Clients;

namespace MqttCheck.Conformance.Generation;

/// <summary>The part of a client's state that decides how likely each of its inputs is.</summary>
/// <param name="IsConnected">Whether it has a connection.</param>
/// <param name="IsHolding">Whether it withholds acknowledgements.</param>
/// <param name="IsAnonymous">Whether it came without identifier.</param>
/// <param name="IsSubscribed">Whether it has a subscription.</param>
/// <param name="HasDefects">Whether there are packets that it can break.</param>
/// <param name="Subject">The subject of the scenario.</param>
/// <param name="LeavesSoon">Whether the scenario is about what becomes of clients without connection, this one has all
/// that is needed for that, and another one stays.</param>
internal readonly record struct Situation(
    bool IsConnected,
    bool IsHolding,
    bool IsAnonymous,
    bool IsSubscribed,
    bool HasDefects,
    ScenarioSubject Subject,
    bool LeavesSoon
)
{
    /// <summary>The commands and contents that its subject makes likely.</summary>
    public Emphasis Emphasis => Emphasis.Of(Subject);

    /// <summary>Whether the scenario waits.</summary>
    public bool TimePasses => Emphasis.Interval is not null;

    /// <summary>The state by the functional model, as far as it says which inputs are allowed.</summary>
    public ClientState State => new() { Connected = IsConnected, Holding = IsHolding };

    /// <summary>The situation of a client.</summary>
    /// <param name="state">The state of the scenario.</param>
    /// <param name="index">Which client.</param>
    public static Situation Of(ScenarioState state, int index)
    {
        var (client, theme) = (state.Clients[index], state.Theme.For(index));
        var isReady =
            theme.IsAboutAbsence
            && client.State.Persists
            && (
                theme.Focus == IntervalKind.WillDelay
                    ? client.Connect is { WillTopic: not null }
                    : client.State.Subscriptions > 0
            );
        var leavesSoon = isReady && state.Clients.Any(other => other != client && other.State.Connected);
        return new(
            client.State.Connected,
            client.State.Holding,
            client.IsAnonymous,
            client.State.Subscriptions > 0,
            (client.State.Connected ? theme.Defects : theme.ConnectDefects).Length > 0,
            theme.Emphasis.Subject,
            leavesSoon
        );
    }
}
