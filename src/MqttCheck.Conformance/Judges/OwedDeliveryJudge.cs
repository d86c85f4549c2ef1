using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Judges;

/// <summary>Deliveries by ordinary subscriptions that have not come yet.</summary>
internal sealed class OwedDeliveryJudge(Judgements judgements) : Judge(judgements)
{
    public void AddOwed(ClientSession session, List<Obligation> owed)
    {
        foreach (
            var expected in session.Expected.Values.Where(expected =>
                expected.IsDue && !expected.Publication.IsConfused
            )
        )
        {
            var publication = expected.Publication;
            if (publication is not { IsHalf: false, IsUncertain: false, IsRejected: false, MayExpire: false })
                continue;
            if (MayBeTakenForAnother(session, publication))
                continue;
            if (expected.Copies.Count > 0)
            {
                AddHighestCopy(session, expected, owed);
                AddIdentifiers(session, expected, owed);
            }
            else
            {
                owed.Add(
                    new Obligation(
                        expected.DueStatement,
                        $"QoS {(int)publication.Qos}, {Wording.Match(expected, Version)}",
                        $"{session.Name} does not get {publication}, "
                            + $"published by {ClientSession.NameOf(publication.Client)} at QoS {(int)publication.Qos}",
                        session.Client
                    )
                    {
                        Publication = publication,
                        Grace = WillJudge.GraceOf(publication),
                        Overtaken = IsOvertaken(session, expected),
                        Waive = () => expected.IsDue = false,
                    }
                );
            }
        }
    }

    // One empty message looks like another, so a supposed second copy of one may be the first of the other. The only
    // copy of an expired message, or of one that need not be delivered yet, may be such a copy too.
    private static bool MayBeTakenForAnother(ClientSession session, Publication publication) =>
        publication.Packet.Payload.IsEmpty
        && session.Expected.Values.Any(other =>
            other.Copies.Count > (other.Publication is { MayExpire: false, IsHalf: false, IsUncertain: false } ? 1 : 0)
            && other.Publication != publication
            && other.Publication.Packet.Payload.IsEmpty
            && other.Publication.Topic == publication.Topic
        );

    // A single copy for overlapping subscriptions must have the highest quality of service, and separate copies each
    // its own.
    private static void AddHighestCopy(ClientSession session, ExpectedDelivery expected, List<Obligation> owed)
    {
        // One empty message looks like another.
        if (expected.Publication.Packet.Payload.IsEmpty)
            return;
        if (expected.Filters.Count < 2 || !expected.IsCertain || expected.MayBeShared)
            return;
        if (expected.CertainQos is not { } highest)
            return;
        var best = expected.Copies.Max(copy => copy.Qos);
        if (best >= highest)
            return;
        owed.Add(
            new Obligation(
                Statements.Overlap,
                $"published {(int)expected.Publication.Qos}, due {(int)highest}, delivered {(int)best}",
                $"{session.Name} gets {expected.Publication} at QoS {(int)best} only; "
                    + $"its overlapping subscriptions allow QoS {(int)highest}",
                session.Client
            )
            {
                Waive = () => expected.IsDue = false,
            }
        );
    }

    // "If the Server sends a single copy of the message it MUST include in the PUBLISH packet the Subscription
    // Identifiers for all matching subscriptions which have a Subscription Identifiers" (MQTT-3.3.4-4). An identifier
    // that one copy lacks must come with another.
    private void AddIdentifiers(ClientSession session, ExpectedDelivery expected, List<Obligation> owed)
    {
        if (!IsV5 || expected.Filters.Count < 2 || !expected.IsCertain || !expected.IsEachDue || expected.MayBeShared)
            return;
        if (expected.Publication.Packet.Payload.IsEmpty)
            return;
        uint[] identifiers = [.. expected.Identifiers.Distinct()];
        uint[] missing = [.. identifiers.Where(identifier => !expected.ReceivedIdentifiers.Contains(identifier))];
        if (missing.Length != 0 && missing.Length != identifiers.Length)
            owed.Add(
                new Obligation(
                    Statements.AllIdentifiers,
                    $"{expected.Copies.Count} of {expected.Filters.Count} copies",
                    $"{session.Name} gets {expected.Publication} without subscription identifier "
                        + $"{string.Join(" and ", missing)}, "
                        + "and no other copy that has it",
                    session.Client
                )
                {
                    Waive = () => expected.IsDue = false,
                }
            );
    }

    private static bool IsOvertaken(ClientSession session, ExpectedDelivery expected)
    {
        var publication = expected.Publication;
        // A will has no place in the order of what its client publishes itself.
        if (expected.Filters.Count != 1 || publication.IsIrregular || publication.IsWill)
            return false;
        foreach (var ((client, topic, qos, _), last) in session.LastInOrder)
        {
            if (client != publication.Client || topic != publication.Topic || qos != publication.Qos)
                continue;
            if (last.Number > publication.Number)
                return true;
        }
        return false;
    }
}
