using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace MqttCheck.Clients;

/// <summary>
/// The functional model of a client as an extended finite state machine: in which state which input makes sense, and
/// what it does to the state. Measuring, simulating and checking all take guards and transitions from here; they differ
/// in how they choose among the inputs that are possible.
/// </summary>
/// <remarks>
/// Pure functions. The state is a <see cref="ClientState"/> and a bit set of subscribed topics or filters, both kept by
/// the caller.
/// </remarks>
public static class ClientMachine
{
    /// <summary>Whether an input makes sense in a state.</summary>
    /// <param name="state">The state.</param>
    /// <param name="input">The input.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Allows(in ClientState state, ClientInput input) =>
        input switch
        {
            ClientInput.Connect => true,
            ClientInput.Hold => state.Connected && !state.Holding,
            ClientInput.Release => state.Connected && state.Holding,
            ClientInput.Disconnect
            or ClientInput.Publish
            or ClientInput.Subscribe
            or ClientInput.Unsubscribe
            or ClientInput.Ping
            or ClientInput.Drop
            or ClientInput.Misbehave => state.Connected,
            _ => throw new UnreachableException(),
        };

    /// <summary>Changes the state for an input that was carried out.</summary>
    /// <param name="state">The state.</param>
    /// <param name="subscribed">The bit set of subscribed topics or filters.</param>
    /// <param name="input">The input.</param>
    /// <param name="topic">
    /// The index of the topic or filter that is subscribed or unsubscribed; -1 for none that is counted.
    /// </param>
    /// <param name="clean">For <see cref="ClientInput.Connect"/>: whether an old session is dropped.</param>
    /// <param name="persists">
    /// For <see cref="ClientInput.Connect"/>: whether the session outlives the connection.
    /// </param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Apply(
        ref ClientState state,
        Span<ulong> subscribed,
        ClientInput input,
        int topic = -1,
        bool clean = false,
        bool persists = true
    )
    {
        switch (input)
        {
            case ClientInput.Connect:
                if (clean || (state.Connected && !state.Persists))
                    DropSession(ref state, subscribed);
                (state.Connected, state.Holding, state.Persists) = (true, false, persists);
                break;
            case ClientInput.Disconnect or ClientInput.Drop or ClientInput.Misbehave:
                if (state.Connected && !state.Persists)
                    DropSession(ref state, subscribed);
                (state.Connected, state.Holding) = (false, false);
                break;
            case ClientInput.Subscribe when topic >= 0 && !Has(subscribed, topic):
                subscribed[topic >> 6] |= 1UL << topic;
                state.Subscriptions++;
                break;
            case ClientInput.Unsubscribe when topic >= 0 && Has(subscribed, topic):
                subscribed[topic >> 6] &= ~(1UL << topic);
                state.Subscriptions--;
                break;
            case ClientInput.Hold or ClientInput.Release:
                state.Holding = input == ClientInput.Hold;
                break;
            default:
                break;
        }
    }

    private static bool Has(ReadOnlySpan<ulong> subscribed, int topic) =>
        (subscribed[topic >> 6] & (1UL << topic)) != 0;

    private static void DropSession(ref ClientState state, Span<ulong> subscribed)
    {
        subscribed.Clear();
        state.Subscriptions = 0;
    }
}
