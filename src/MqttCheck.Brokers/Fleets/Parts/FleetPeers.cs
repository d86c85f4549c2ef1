using System.Collections.Concurrent;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// The other parts of a fleet, seen from one of them. The parts tell each other which clients come and go, and which
/// messages arrive. So each part knows who awaits a publication, and when it was delivered. Times are relative to the
/// common start.
/// </summary>
/// <remarks>
/// An exchange ends when the last awaited delivery came, even if this part learns of it later. The next wait of its
/// client begins at the right time, if it is longer than the delay of the notes.
/// </remarks>
internal sealed class FleetPeers
{
    private readonly Action<int, byte[]> _send;
    private readonly MemoryStream[] _notes;
    private readonly BinaryWriter[] _writers;
    private readonly ConcurrentQueue<byte[]> _early = new();
    private readonly Lock _gate = new();
    private Fleet? _fleet;
    private IWire? _wire;
    private bool _willFlush;

    /// <summary>The peers of a part.</summary>
    /// <param name="share">The part.</param>
    /// <param name="send">Sends notes to a part.</param>
    public FleetPeers(FleetShare share, Action<int, byte[]> send)
    {
        (Share, _send) = (share, send);
        _notes = [.. Enumerable.Range(0, share.Parts).Select(_ => new MemoryStream())];
        _writers = [.. _notes.Select(notes => new BinaryWriter(notes))];
    }

    private enum NoteKind : byte
    {
        Started,
        Succeeded,
        Failed,
        Lost,
        Delivered,
        Counted,
    }

    /// <summary>The clients of this part.</summary>
    public FleetShare Share { get; }

    /// <summary>The log of this part.</summary>
    public PartLog Log { get; } = new();

    /// <summary>When the run begins, on the clock of the wire.</summary>
    public long StartNanoseconds { get; private set; }

    /// <summary>By how much the clocks of two parts may disagree.</summary>
    public long ClockBoundNanoseconds { get; private set; }

    /// <summary>Says when the run begins.</summary>
    public void Begin(long startNanoseconds, long clockBoundNanoseconds)
    {
        (StartNanoseconds, ClockBoundNanoseconds) = (startNanoseconds, clockBoundNanoseconds);
        Log.StartNanoseconds = startNanoseconds;
    }

    /// <summary>The clients exist now, so notes of other parts are passed to them, earlier ones included.</summary>
    public void Attach(Fleet fleet, IWire wire)
    {
        lock (_gate)
        {
            (_fleet, _wire) = (fleet, wire);
            while (_early.TryDequeue(out var notes))
                wire.Post(() => Apply(fleet, notes));
        }
    }

    /// <summary>The loop has ended, so notes are passed on no more.</summary>
    public void Detach()
    {
        lock (_gate)
            _wire = null;
    }

    /// <summary>Takes notes of another part. Safe from any thread.</summary>
    public void Receive(byte[] notes)
    {
        lock (_gate)
        {
            if (_fleet is not { } fleet)
                _early.Enqueue(notes);
            else
                _wire?.Post(() => Apply(fleet, notes));
        }
    }

    /// <summary>A client of this part sent a request.</summary>
    public void Started(int client, in ClientAction action, long atNanoseconds)
    {
        if (ChangesReceivers(action.Kind))
            TellAll(NoteKind.Started, client, action, atNanoseconds);
    }

    /// <summary>A client's request was answered, or has failed.</summary>
    public void Ended(int client, in ClientAction action, bool success, long atNanoseconds)
    {
        if (ChangesReceivers(action.Kind))
            TellAll(success ? NoteKind.Succeeded : NoteKind.Failed, client, action, atNanoseconds);
    }

    /// <summary>A client's connection ended without its doing.</summary>
    public void Lost(int client, long atNanoseconds) => TellAll(NoteKind.Lost, client, default, atNanoseconds);

    /// <summary>All sequences of this part that count are over.</summary>
    public void Counted() => TellAll(NoteKind.Counted, 0, default, StartNanoseconds);

    /// <summary>A message of another part's client arrived here.</summary>
    public void Delivered(int publisher, int receiver, int topic, ulong number, bool isRedelivery, long atNanoseconds)
    {
        var writer = _writers[Share.OwnerOf(publisher)];
        writer.Write((byte)NoteKind.Delivered);
        writer.Write(atNanoseconds - StartNanoseconds);
        writer.Write(receiver);
        writer.Write(topic);
        writer.Write(number);
        writer.Write(isRedelivery);
        FlushSoon();
    }

    /// <summary>Sends what was noted.</summary>
    public void Flush()
    {
        _willFlush = false;
        for (var part = 0; part < _notes.Length; part++)
        {
            if (_notes[part].Length == 0)
                continue;
            _send(part, _notes[part].ToArray());
            _notes[part].SetLength(0);
        }
    }

    // A publication does not change the receivers of others, and only the publisher's part tracks who awaits it.
    private static bool ChangesReceivers(MessageKind kind) => kind != MessageKind.Publish;

    private void TellAll(NoteKind kind, int client, in ClientAction action, long atNanoseconds)
    {
        for (var part = 0; part < _writers.Length; part++)
        {
            if (part == Share.Part)
                continue;
            var writer = _writers[part];
            writer.Write((byte)kind);
            writer.Write(atNanoseconds - StartNanoseconds);
            writer.Write(client);
            writer.Write((byte)action.Kind);
            writer.Write(action.Topic);
            writer.Write((byte)action.Qos);
            writer.Write(action.Clean);
        }
        FlushSoon();
    }

    // The notes are sent in the next round of the loop, together with those added until then.
    private void FlushSoon()
    {
        if (_willFlush)
            return;
        _willFlush = true;
        _wire?.Post(Flush);
    }

    private void Apply(Fleet fleet, byte[] notes)
    {
        using var reader = new BinaryReader(new MemoryStream(notes, writable: false));
        while (reader.BaseStream.Position < notes.Length)
        {
            var kind = (NoteKind)reader.ReadByte();
            var at = StartNanoseconds + reader.ReadInt64();
            if (kind == NoteKind.Delivered)
            {
                var (receiver, topic, number) = (reader.ReadInt32(), reader.ReadInt32(), reader.ReadUInt64());
                fleet.Deliveries.TakeOwn(receiver, topic, number, reader.ReadBoolean(), at, isElsewhere: true);
                continue;
            }
            var client = reader.ReadInt32();
            var (message, about, qos) = ((MessageKind)reader.ReadByte(), reader.ReadInt32(), reader.ReadByte());
            var action = new ClientAction(message, about, 0, default, reader.ReadBoolean())
            {
                Qos = (QualityOfService)qos,
            };
            Apply(fleet, kind, client, action, at);
        }
    }

    private static void Apply(Fleet fleet, NoteKind kind, int client, in ClientAction action, long atNanoseconds)
    {
        var milliseconds = fleet.FoldTime(atNanoseconds);
        switch (kind)
        {
            case NoteKind.Started:
                fleet.Fold.Start(client, action, milliseconds);
                if (action.Kind is MessageKind.Disconnect or MessageKind.Unsubscribe)
                {
                    var topic = action.Kind == MessageKind.Disconnect ? -1 : action.Topic;
                    fleet.Deliveries.Release(client, topic, atNanoseconds);
                }
                break;
            case NoteKind.Succeeded or NoteKind.Failed:
                fleet.Fold.End(client, action, 0, kind == NoteKind.Succeeded, milliseconds);
                break;
            case NoteKind.Lost:
                fleet.Fold.ConnectionLost(client);
                fleet.Deliveries.Release(client, -1, atNanoseconds);
                break;
            default:
                fleet.PartCounted();
                break;
        }
    }
}
