using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Clients;

/// <summary>The messages with which every connection of a client begins, after its CONNECT.</summary>
internal sealed class ConnectionScript
{
    private readonly bool _hasFirst;
    private readonly MessageKind[] _steps;

    private ConnectionScript(UsageProfile profile)
    {
        _hasFirst = profile.AfterConnect is not null;
        MessageKind[] first = _hasFirst ? [MessageKind.Publish] : [];
        _steps = [.. first, .. profile.Order.Skip(1).Select(step => (MessageKind)step)];
    }

    /// <summary>The script of a profile, or null where weights decide from the beginning.</summary>
    /// <param name="profile">The profile.</param>
    public static ConnectionScript? Of(UsageProfile profile) =>
        profile.Order.Count > 0 || profile.AfterConnect is not null ? new(profile) : null;

    /// <summary>Whether a connected client is about to publish its first message.</summary>
    /// <param name="state">The client's state.</param>
    public bool IsFirstAt(in ClientState state) => _hasFirst && state is { Connected: true, Position: 0 };

    /// <summary>The next message of a connected client, or null where weights decide.</summary>
    /// <param name="state">The client's state.</param>
    /// <param name="subscribable">How many topics or filters it can subscribe to.</param>
    public MessageKind? StepAt(in ClientState state, int subscribable) =>
        Next(state, subscribable) is var at && at < _steps.Length ? _steps[at] : null;

    /// <summary>Notes that a message was sent.</summary>
    /// <param name="state">The client's state, before the answer changes it.</param>
    /// <param name="kind">The message.</param>
    /// <param name="subscribable">How many topics or filters the client can subscribe to.</param>
    public void Advance(ref ClientState state, MessageKind kind, int subscribable)
    {
        if (kind == MessageKind.Connect)
            state.Position = 0;
        else if (state.Position < _steps.Length)
            state.Position = (byte)Math.Min(_steps.Length, Next(state, subscribable) + 1);
    }

    // A step that the client cannot take is left out: it follows all already, or nothing.
    private int Next(in ClientState state, int subscribable)
    {
        int at = state.Position;
        while (
            at < _steps.Length
            && (
                (_steps[at] == MessageKind.Subscribe && state.Subscriptions >= subscribable)
                || (_steps[at] == MessageKind.Unsubscribe && state.Subscriptions == 0)
            )
        )
            at++;
        return at;
    }
}
