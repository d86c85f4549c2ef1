using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance;

/// <content>Shared subscriptions: each message goes to one member, at least and at most.</content>
public sealed partial class ConformanceMonitor
{
    // A message to each shared subscription that matches it, where it is certain who its members are.
    private void RouteShared(Publication publication, bool certain)
    {
        if (!IsV5)
            return;
        foreach (
            var filter in _sessions
                .SelectMany(session => session.Subscriptions.Values)
                .Where(s => s.IsShared(_version) && TopicFilter.Matches(s.Plain, publication.Topic))
                .Select(s => s.Filter)
                .Distinct()
        )
        {
            var candidates = _sessions.Where(session => session.Subscriptions.ContainsKey(filter)).ToArray();
            if (
                !certain
                || !Array.TrueForAll(candidates, session => session.Presence == Presence.Yes && session.IsOnline)
                || Array.Exists(_sessions, session => MayBeMember(session, filter))
            )
                continue;
            var delivery = new SharedDelivery(
                publication,
                filter,
                [
                    .. candidates
                        .Select(session => (Session: session, Subscription: session.Subscriptions[filter]))
                        .Select(c => new SharedMember(
                            c.Session,
                            c.Session.Connection!,
                            c.Subscription,
                            c.Subscription.LastRequest
                        )),
                ]
            );
            if (
                !delivery.IsUndisturbed
                || Array.Exists(candidates, session => session.Subscriptions[filter].Variants[0].NoLocal)
            )
                continue;
            _sharedDeliveries.Add(delivery);
            // One empty message looks like another; over topics that begin with $ a server need not let clients exchange messages; a member that takes small packets only may cost the message.
            if (
                publication.Packet.Payload.IsEmpty
                || publication.MayExpire
                || publication.Topic.StartsWith('$')
                || Array.Exists(candidates, session => MayBeTooLarge(session, publication))
            )
                continue;
            if (
                Array.Exists(
                    candidates,
                    session =>
                        Lower(publication.Qos, session.Subscriptions[filter].Variants[0].Qos)
                        == QualityOfService.AtMostOnce
                )
            )
                continue;
            delivery.IsDue = true;
            Check(Statements.SharedDelivered);
        }
    }

    // A session that ended with its connection may go on for the broker until it has seen that end, or has accepted the next connection.
    private static bool MayBeMember(ClientSession session, string filter) =>
        session.Ended.Exists(ended =>
            ended.Filter == filter
            && ended.Statement == Statements.SessionEnds
            && ended.EndedAt > (session.Connection?.AcceptedAt ?? 0)
        );

    // Whoever joins while a message is under way may be the one that it goes to.
    private void JoinShared(string filter)
    {
        foreach (var delivery in _sharedDeliveries)
            if (delivery.Filter == filter && delivery.Publication.IsOpen)
                delivery.Join();
    }

    private void AddSharedOwed(List<Obligation> owed)
    {
        foreach (var delivery in _sharedDeliveries)
        {
            if (!delivery.IsDue)
                continue;
            if (!delivery.IsUndisturbed || delivery.HasCopy)
            {
                delivery.IsDue = false;
                continue;
            }
            var publication = delivery.Publication;
            if (
                publication.IsUncertain
                || publication.IsRejected
                || (publication.TakenAt is null && !publication.IsWill)
            )
                continue;
            // While a member withholds acknowledgements the broker may have chosen it and hold the message back.
            if (delivery.Members.Any(member => IsHolding(member.Session)))
                continue;
            owed.Add(
                new Obligation(
                    Statements.SharedDelivered,
                    $"QoS {(int)publication.Qos}{(publication.IsWill ? ", will" : "")}, {DescribeFilter(delivery.Filter)}, topic{DescribeLevels(publication.Topic)}",
                    $"no member of {delivery.Filter} ({string.Join(", ", delivery.Members.Select(member => Name(member.Session)))}) gets {publication}, published by {(char)('A' + publication.Client)} at QoS {(int)publication.Qos}",
                    delivery.Members[0].Session.Client
                )
                {
                    Grace = publication.DueNanoseconds is null ? TimeSpan.Zero : s_willGrace,
                    Waive = () => delivery.IsDue = false,
                }
            );
        }
    }

    private void JudgeShared(
        ClientSession session,
        ConnectionState connection,
        PublishPacket delivery,
        Expectation expectation
    )
    {
        var publication = expectation.Publication;
        if (expectation.Filters.Count > 0 || GroupOf(session, publication) is not { } group)
            return;
        var earlier = publication.SharedCopies.FindAll(copy => copy.Client != session.Client && copy.Filter == group);
        publication.SharedCopies.Add(new SharedCopy(session.Client, connection, group, delivery.Qos));
        // A publication of QoS 1 that was sent again may be a new message to the broker.
        if (publication.IsIrregular && publication.Qos == QualityOfService.AtLeastOnce)
            return;
        var isUndisturbed = IsUndisturbed(publication, group, session);
        if (delivery.Qos != QualityOfService.AtLeastOnce || isUndisturbed)
            Check(Statements.SharedOnce);
        foreach (var copy in earlier)
        {
            var other = _sessions[copy.Client];
            // At QoS 1 it may be handed over when its member's connection is lost before it was acknowledged, and nobody sees from outside how long a broker waits for that.
            if (
                !isUndisturbed
                && (delivery.Qos == QualityOfService.AtLeastOnce || copy.Qos == QualityOfService.AtLeastOnce)
            )
                continue;
            var wasCutOff =
                copy.Qos == QualityOfService.ExactlyOnce && (copy.Connection.IsClosed || copy.Connection.IsTakenOver);
            Deviate(
                wasCutOff ? Statements.SharedFinish : Statements.SharedOnce,
                $"QoS {(int)delivery.Qos}",
                $"{Name(session)} and {Name(other)} both get {publication} for the shared subscription {group}"
            );
        }
    }

    // Whether all who may have got a message by a shared subscription are there as they were when it was published, and all but the one who gets it now have acknowledged what they got.
    private bool IsUndisturbed(Publication publication, string filter, ClientSession receiver) =>
        _sharedDeliveries.Find(d => d.Publication == publication && d.Filter == filter)
            is { IsUndisturbed: true } delivery
        && !delivery.Members.Any(member => member.Session != receiver && IsHolding(member.Session));

    // A member leaves in the middle of a QoS 2 delivery: nobody else may get the message.
    private void LeaveShared(ClientSession session, ConnectionState connection)
    {
        foreach (var message in session.Incoming.Values)
        {
            if (
                message is { IsFinished: false, Packet.Qos: QualityOfService.ExactlyOnce, Publication: { } publication }
                && message.Connection == connection.Number
                && publication.SharedCopies.Exists(copy => copy.Client == session.Client)
            )
                Check(Statements.SharedFinish);
        }
    }

    // The one shared subscription of a session that matches, null if there are none or several.
    private string? GroupOf(ClientSession session, Publication publication)
    {
        var groups = session
            .Subscriptions.Values.Where(s => s.IsShared(_version) && TopicFilter.Matches(s.Plain, publication.Topic))
            .Select(s => s.Filter)
            .ToList();
        return groups.Count == 1 ? groups[0] : null;
    }
}
