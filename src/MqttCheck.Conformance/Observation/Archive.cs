using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Observation;

/// <summary>
/// Publications and exchanges that are complete, put aside while a run has very many, because judges look through all
/// that are not. Whatever is about one of them again, or about more than single messages, takes them back first, so
/// that no judgement changes.
/// </summary>
/// <param name="run">The run.</param>
internal sealed class Archive(ObservedRun run)
{
    // No ordinary scenario has so many observations.
    private const int Interval = 1024;

    private readonly List<Publication> _publications = [];
    private readonly Dictionary<(ClientSession, Publication), ExpectedDelivery> _expected = [];
    private readonly Dictionary<(ClientSession, ushort), IncomingMessage> _incoming = [];

    /// <summary>How many publications are put aside.</summary>
    public int Publications => _publications.Count;

    /// <summary>Takes back what an observation may be about, or puts aside what is complete.</summary>
    /// <param name="entry">The observation, which nobody has judged yet.</param>
    public void Prepare(TraceEntry entry)
    {
        if (!IsOfMessages(entry))
            RecallAll();
        else if (_publications.Count > 0)
            Recall(run.Sessions[entry.Client], entry);
        if (run.Trace.Count % Interval == 0)
            PutAside();
    }

    private static bool IsOfMessages(TraceEntry entry) =>
        entry.Kind is TraceKind.Sent or TraceKind.Received
        && entry.Packet?.Type
            is PacketType.Publish
                or PacketType.Puback
                or PacketType.Pubrec
                or PacketType.Pubrel
                or PacketType.Pubcomp
                or PacketType.Pingreq
                or PacketType.Pingresp;

    private void Recall(ClientSession session, TraceEntry entry)
    {
        if (entry.Packet is AckPacket ack)
            Recall(session, ack.PacketId);
        if (entry.Packet is not PublishPacket publish)
            return;
        if (entry.Kind == TraceKind.Received)
            Recall(session, publish.PacketId);
        if (run.WithPayload(publish.Payload) is { } publication)
            Recall(session, publication);
    }

    // An identifier that is used again belongs to another message.
    private void Recall(ClientSession session, ushort packetId)
    {
        if (_incoming.Remove((session, packetId), out var message))
            session.Incoming.TryAdd(packetId, message);
    }

    private void Recall(ClientSession session, Publication publication)
    {
        if (_expected.Remove((session, publication), out var expected))
            session.Expected.TryAdd(publication, expected);
    }

    private void RecallAll()
    {
        if (_publications.Count == 0)
            return;
        run.Publications.AddRange(_publications);
        run.Publications.Sort((one, other) => one.Number.CompareTo(other.Number));
        _publications.Clear();
        foreach (var ((session, publication), expected) in _expected)
            session.Expected.TryAdd(publication, expected);
        _expected.Clear();
        foreach (var ((session, packetId), message) in _incoming)
            session.Incoming.TryAdd(packetId, message);
        _incoming.Clear();
    }

    private void PutAside()
    {
        var last = run.Sessions.SelectMany(session => session.LastInOrder.Values).ToHashSet();
        var complete = run.Publications.Where(one => !last.Contains(one) && IsComplete(one)).ToHashSet();
        _publications.AddRange(complete);
        run.Publications.RemoveAll(complete.Contains);
        foreach (var session in run.Sessions)
        {
            foreach (var publication in complete)
                if (session.Expected.Remove(publication, out var expected))
                    _expected.Add((session, publication), expected);
            var ended = session.Incoming.Values.Where(message =>
                message
                    is { IsFinished: true, RefusedAt: null, IsOfReplaced: false, MayBeGone: false, ResendDue: false }
                && message.Publication is { } publication
                && complete.Contains(publication)
            );
            foreach (var message in ended.ToList())
            {
                session.Incoming.Remove(message.PacketId);
                _incoming[(session, message.PacketId)] = message;
            }
        }
    }

    // The broker has taken it, each session that was to get it has its copy, and nothing is unusual about it.
    private bool IsComplete(Publication publication) =>
        publication
            is {
                TakenAt: not null,
                IsWill: false,
                IsUncertain: false,
                IsHalf: false,
                IsIrregular: false,
                IsRejected: false,
                IsConfused: false,
                MayExpire: false,
                Packet.Retain: false,
                Packet.Payload.IsEmpty: false,
                SharedCopies.Count: 0
            }
        && run.Sessions.All(session =>
            !session.Expected.TryGetValue(publication, out var expected)
            || (expected is { IsDue: true, MayBeShared: false, Filters.Count: 1 } && expected.Copies.Count == 1)
        );
}
