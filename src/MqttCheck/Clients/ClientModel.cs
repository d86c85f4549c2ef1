using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clients;

/// <summary>
/// The functional model of a client (an extended finite state machine, after Aichernig and Schumi, QEST 2018) under a
/// usage profile: which input comes next, and what an answer does to the state. The same object drives the live fleet
/// and the simulator.
/// </summary>
/// <remarks>
/// A client's life is a partial warm-up sequence of 0 .. length - 1 messages (so that clients are out of step, as in a
/// long-running system), then whole sequences. Each sequence starts disconnected and without a session, and ends with a
/// reset: disconnect if connected, clean connect, disconnect, without waiting. Random numbers are drawn in the order
/// wait, kind, topic, size, quality of service from the client's own stream; a wait that depends on the kind looks
/// ahead to it and comes from a stream of its own. Immutable and thread-safe; the state lives with the caller: a
/// <see cref="ClientState"/> and a bit set of <see cref="Words"/> words.
/// </remarks>
public sealed class ClientModel
{
    private readonly UsageProfile _profile;
    private readonly double _publish,
        _disconnect,
        _subscribe,
        _unsubscribe;
    private readonly QualityOfService _subscriptionQos;
    private readonly Law?[]? _waits;
    private readonly LoadCourse? _course;
    private readonly double _countFrom;
    private readonly GroupTopics _topics;
    private readonly ConnectionScript? _script;
    private readonly Instants? _instants;

    // Whether every wait is a draw of one law, and nothing else.
    private readonly bool _isPlain;

    /// <summary>Compiles a profile.</summary>
    /// <param name="profile">A valid profile (<see cref="ProfileFile"/> checks it).</param>
    /// <param name="rampUpMilliseconds">
    /// When the ramp-up of the run is over: sequences that begin earlier are warm-up, and the first stage begins then.
    /// </param>
    public ClientModel(UsageProfile profile, double rampUpMilliseconds = 0)
        : this(profile, rampUpMilliseconds, GroupTopics.Shared(profile)) { }

    /// <summary>Compiles the profile of a group.</summary>
    /// <param name="profile">A valid profile.</param>
    /// <param name="rampUpMilliseconds">When the ramp-up of the run is over.</param>
    /// <param name="topics">The numbers of the group's topics.</param>
    internal ClientModel(UsageProfile profile, double rampUpMilliseconds, GroupTopics topics)
    {
        (_profile, _topics, _instants) = (profile, topics, profile.Simultaneous);
        _script = ConnectionScript.Of(profile);
        _countFrom = rampUpMilliseconds;
        _course = profile.Stages.Count > 0 ? new(profile.Stages, rampUpMilliseconds) : null;
        _publish = profile.Weights.Publish;
        _disconnect = profile.Weights.Disconnect;
        _subscribe = profile.Weights.Subscribe;
        _unsubscribe = profile.Weights.Unsubscribe;
        _subscriptionQos = profile.SubscriptionQos ?? profile.Qos;
        // Indexed by MessageKind.
        if (profile.Waits is { } waits)
            _waits = [waits.Connect, waits.Disconnect, waits.Publish, waits.Subscribe, waits.Unsubscribe];
        _isPlain = _waits is null && _course is null && !profile.IsScripted;
    }

    /// <summary>The profile that the client follows.</summary>
    public UsageProfile Profile => _profile;

    /// <summary>How many 64-bit words the bit set of subscribed topics or filters takes.</summary>
    public int Words => Math.Max(1, (_topics.Subscribed + 63) / 64);

    /// <summary>The first topic that a client publishes to.</summary>
    /// <param name="rank">Number of the client within its group.</param>
    internal int FirstTopic(int rank) => _topics.Publish + rank * _topics.PublishStride;

    /// <summary>The state in which a client begins, with the length of its warm-up sequence drawn.</summary>
    /// <param name="random">The client's stream.</param>
    /// <param name="rank">Number of the client within its group.</param>
    public ClientState Begin(ref RandomStream random, int rank = 0)
    {
        var state = new ClientState { Length = (short)random.NextInt(_profile.SequenceLength), Rank = rank };
        // Clients that act at the same instants are in step, and so the warm-up sequence of all is a whole one.
        if (_instants is not null)
            state.Length = (short)_profile.SequenceLength;
        if (state.Length == 0)
            StartSequence(ref state, 0);
        return state;
    }

    /// <summary>The time to wait before the next input; none inside a reset.</summary>
    /// <param name="state">The client's state.</param>
    /// <param name="random">The client's stream.</param>
    /// <param name="nowMilliseconds">The time of the run, which a profile with stages asks for.</param>
    /// <returns>Milliseconds, at least 0.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextWaitMilliseconds(in ClientState state, ref RandomStream random, double nowMilliseconds = 0) =>
        state.Reset != ResetStage.None ? 0
        : _isPlain ? _profile.WaitMilliseconds.Draw(ref random)
        : SpecialWait(state, ref random, nowMilliseconds);

    /// <summary>The next input.</summary>
    /// <param name="state">The client's state.</param>
    /// <param name="subscribed">The client's bit set of subscribed topics.</param>
    /// <param name="countedSequences">How many sequences count; later ones are cool-down.</param>
    /// <param name="random">The client's stream.</param>
    public ClientAction Next(
        in ClientState state,
        ReadOnlySpan<ulong> subscribed,
        int countedSequences,
        ref RandomStream random
    )
    {
        if (state.Reset != ResetStage.None)
        {
            var kind = state.Reset == ResetStage.CleanConnect ? MessageKind.Connect : MessageKind.Disconnect;
            return new(kind, -1, 0, ExchangePhase.Reset, Clean: true);
        }

        var phase =
            state.Sequence == 0 ? ExchangePhase.WarmUp
            : state.Sequence <= countedSequences ? ExchangePhase.Counted
            : ExchangePhase.CoolDown;
        if (!ClientMachine.Allows(state, ClientInput.Publish))
            return new(MessageKind.Connect, -1, 0, phase, Clean: _profile.CleanSessions);
        if (_script?.IsFirstAt(state) == true)
            return First(state, phase);
        switch (StepAt(state) ?? KindAt(state, random.NextDouble()))
        {
            case MessageKind.Publish:
                return Publish(state, phase, ref random);
            case MessageKind.Subscribe:
                return new(
                    MessageKind.Subscribe,
                    Number(
                        state,
                        Nth(subscribed, random.NextInt(_topics.Subscribed - state.Subscriptions), wanted: false)
                    ),
                    0,
                    phase,
                    Clean: false
                )
                {
                    Qos = _subscriptionQos,
                };
            case MessageKind.Unsubscribe:
                return new(
                    MessageKind.Unsubscribe,
                    Number(state, Nth(subscribed, random.NextInt(state.Subscriptions), wanted: true)),
                    0,
                    phase,
                    Clean: false
                );
            case MessageKind.Disconnect:
                return new(MessageKind.Disconnect, -1, 0, phase, Clean: false);
            default:
                throw new UnreachableException();
        }
    }

    /// <summary>Applies the answer to an input.</summary>
    /// <param name="state">The client's state.</param>
    /// <param name="subscribed">The client's bit set of subscribed topics.</param>
    /// <param name="action">The input that was answered.</param>
    /// <param name="success">
    /// Whether the awaited answer came; a failure ends the sequence, since its outcome is decided.
    /// </param>
    /// <param name="nowMilliseconds">The time of the run, which a run with a ramp-up asks for.</param>
    /// <returns>Whether this was the last exchange of a sequence (resets follow, but do not count).</returns>
    public bool Complete(
        ref ClientState state,
        Span<ulong> subscribed,
        in ClientAction action,
        bool success,
        double nowMilliseconds = double.PositiveInfinity
    )
    {
        _script?.Advance(ref state, action.Kind, _topics.Subscribed);
        switch (action.Kind)
        {
            // The sessions of a profile's clients outlive their connections, until a reset drops them.
            case MessageKind.Connect when success:
                ClientMachine.Apply(ref state, subscribed, ClientInput.Connect, clean: action.Clean);
                break;
            case MessageKind.Connect or MessageKind.Disconnect:
                ClientMachine.Apply(ref state, subscribed, ClientInput.Disconnect);
                break;
            case MessageKind.Subscribe when success:
                ClientMachine.Apply(ref state, subscribed, ClientInput.Subscribe, Local(state, action));
                break;
            case MessageKind.Unsubscribe when success:
                ClientMachine.Apply(ref state, subscribed, ClientInput.Unsubscribe, Local(state, action));
                break;
            default:
                break;
        }

        if (state.Reset == ResetStage.None)
        {
            state.Step++;
            if (success && state.Step < state.Length)
                return false;
            state.Reset = state.Connected ? ResetStage.Leave : ResetStage.CleanConnect;
            return true;
        }

        if (action.Kind == MessageKind.Connect)
            state.Reset = success ? ResetStage.Disconnect : ResetStage.CleanConnect;
        else if (state.Reset == ResetStage.Leave)
            state.Reset = ResetStage.CleanConnect;
        else
            StartSequence(ref state, nowMilliseconds);
        return false;
    }

    /// <summary>Notes that the connection ended without the client's doing.</summary>
    /// <param name="state">The client's state; a running sequence is over, since its outcome is decided.</param>
    public static void ConnectionLost(ref ClientState state)
    {
        ClientMachine.Apply(ref state, [], ClientInput.Drop);
        state.Reset = ResetStage.CleanConnect;
    }

    private void StartSequence(ref ClientState state, double nowMilliseconds)
    {
        state.Reset = ResetStage.None;
        if (nowMilliseconds >= _countFrom)
            state.Sequence++;
        state.Step = 0;
        state.Length = (short)_profile.SequenceLength;
    }

    private MessageKind? StepAt(in ClientState state) => _script?.StepAt(state, _topics.Subscribed);

    // The number of what a client subscribes to, and back.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Number(in ClientState state, int local) =>
        local + _topics.Subscribe + state.Rank * _topics.SubscribeStride;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Local(in ClientState state, in ClientAction action) =>
        action.Topic - _topics.Subscribe - state.Rank * _topics.SubscribeStride;

    // Maps a place between 0 and 1 to the next request of a connected client.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private MessageKind KindAt(in ClientState state, double place)
    {
        var subscribe = state.Subscriptions < _topics.Subscribed ? _subscribe : 0;
        var unsubscribe = state.Subscriptions > 0 ? _unsubscribe : 0;
        var u = place * (_publish + _disconnect + subscribe + unsubscribe);
        if ((u -= _publish) < 0)
            return MessageKind.Publish;
        if ((u -= _disconnect) < 0)
            return MessageKind.Disconnect;
        if (u - subscribe < 0)
            return MessageKind.Subscribe;
        if (unsubscribe > 0)
            return MessageKind.Unsubscribe;
        // Rounding left u at the very top of the scale, or nothing but a weightless kind is enabled.
        return _publish > 0 ? MessageKind.Publish : MessageKind.Disconnect;
    }

    private double SpecialWait(in ClientState state, ref RandomStream random, double nowMilliseconds)
    {
        var wait =
            _profile.IsScripted ? ScriptedWait(state, ref random, nowMilliseconds)
            : _waits is null ? _profile.WaitMilliseconds.Draw(ref random)
            : WaitByKind(state, random);
        return _course?.Stretch(nowMilliseconds, wait) ?? wait;
    }

    // A kind that is known without a draw takes its wait from the stream itself: the message draws nothing that the
    // wait would see again.
    private double ScriptedWait(in ClientState state, ref RandomStream random, double nowMilliseconds)
    {
        if (_script?.IsFirstAt(state) == true)
            return 0;
        var known = state.Connected ? StepAt(state) : MessageKind.Connect;
        var ahead = random;
        var kind = known ?? KindAt(state, ahead.NextDouble());
        if (_instants is not null && (MessageKind)_instants.Message == kind)
        {
            var place = known is null ? ahead.NextDouble() : random.NextDouble();
            return _instants.WaitMilliseconds(nowMilliseconds, state is { Sequence: <= 1, Step: 0 }, place);
        }
        if (known is null)
            return _waits is null ? _profile.WaitMilliseconds.Draw(ref random) : WaitByKind(state, random);
        return (_waits?[(int)kind] ?? _profile.WaitMilliseconds).Draw(ref random);
    }

    // The stream is a copy, so numbers drawn from it here will be drawn again. The wait itself therefore comes from a
    // derived stream.
    private double WaitByKind(in ClientState state, RandomStream ahead)
    {
        var kind = state.Connected ? KindAt(state, ahead.NextDouble()) : MessageKind.Connect;
        var own = RandomStream.For(ahead.NextUInt64());
        return (_waits![(int)kind] ?? _profile.WaitMilliseconds).Draw(ref own);
    }

    private ClientAction First(in ClientState state, ExchangePhase phase)
    {
        var message = _profile.AfterConnect!;
        var topic = _topics.First + state.Rank * _topics.FirstStride;
        return new(MessageKind.Publish, topic, message.Bytes, phase, Clean: false)
        {
            Qos = message.Qos,
            IsFirst = true,
        };
    }

    private ClientAction Publish(in ClientState state, ExchangePhase phase, ref RandomStream random)
    {
        var topic = random.NextInt(_profile.Topics) + FirstTopic(state.Rank);
        var size = _profile.PayloadLaw is null
            ? _profile.MinimumPayloadBytes
                + random.NextInt(_profile.MaximumPayloadBytes - _profile.MinimumPayloadBytes + 1)
            : (int)
                Math.Clamp(
                    Math.Round(_profile.PayloadLaw.Draw(ref random)),
                    _profile.MinimumPayloadBytes,
                    _profile.MaximumPayloadBytes
                );
        return new(MessageKind.Publish, topic, size, phase, Clean: false)
        {
            Qos = _profile.PublishQos?.At(random.NextDouble()) ?? _profile.Qos,
        };
    }

    // The index of the n-th (from 0) topic that is subscribed, or not, as wanted.
    private static int Nth(ReadOnlySpan<ulong> bits, int n, bool wanted)
    {
        for (var word = 0; ; word++)
        {
            var candidates = wanted ? bits[word] : ~bits[word];
            var count = BitOperations.PopCount(candidates);
            if (n >= count)
            {
                n -= count;
                continue;
            }
            for (; n > 0; n--)
                candidates &= candidates - 1;
            return (word << 6) + BitOperations.TrailingZeroCount(candidates);
        }
    }
}
