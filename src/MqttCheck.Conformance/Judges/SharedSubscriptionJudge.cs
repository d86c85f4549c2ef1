using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>Shared subscriptions: each message goes to one member, at least and at most.</summary>
internal sealed class SharedSubscriptionJudge(Judgements judgements) : Judge(judgements)
{
    private readonly List<SharedDelivery> _deliveries = [];

    /// <summary>
    /// A publication may be routed from now on: each shared subscription whose members are certain gets one copy.
    /// </summary>
    public void Route(Publication publication, bool certain)
    {
        var filters = Run
            .Sessions.SelectMany(session => session.Subscriptions.Values)
            .Where(s => IsShareOf(s, publication))
            .Select(s => s.Filter)
            .Distinct();
        foreach (var filter in filters)
            Route(publication, certain, filter);
    }

    /// <summary>A client subscribes. While a message is under way it may go to that client.</summary>
    public void Joined(string filter)
    {
        foreach (
            var delivery in _deliveries.Where(delivery => delivery.Filter == filter && delivery.Publication.IsOpen)
        )
            delivery.Join();
    }

    /// <summary>
    /// A delivery may have been by a shared subscription or by something else: no copy is owed to that client any more.
    /// </summary>
    public void Forgive(ClientSession session, Publication publication)
    {
        foreach (
            var delivery in _deliveries.Where(delivery =>
                delivery.Publication == publication && delivery.Members.Any(member => member.Session == session)
            )
        )
            delivery.IsDue = false;
    }

    public void Delivered(
        ClientSession session,
        ObservedConnection connection,
        PublishPacket delivery,
        ExpectedDelivery expected
    )
    {
        var publication = expected.Publication;
        if (expected.Filters.Count > 0 || GroupOf(session, publication) is not { } group)
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
            // At QoS 1 the broker may choose another member if the connection is lost before the acknowledgement. No
            // client can see how long a broker waits for that.
            var isQos1 = delivery.Qos == QualityOfService.AtLeastOnce || copy.Qos == QualityOfService.AtLeastOnce;
            if (!isUndisturbed && isQos1)
                continue;
            var wasCutOff =
                copy.Qos == QualityOfService.ExactlyOnce && (copy.Connection.IsClosed || copy.Connection.IsTakenOver);
            Deviate(
                wasCutOff ? Statements.SharedFinish : Statements.SharedOnce,
                $"QoS {(int)delivery.Qos}",
                $"{session.Name} and {Run.Sessions[copy.Client].Name} both get {publication} for the shared "
                    + $"subscription {group}"
            );
        }
    }

    /// <summary>A member leaves. Nobody else may get a message whose QoS 2 delivery has begun.</summary>
    public void Left(ClientSession session, ObservedConnection connection)
    {
        foreach (var message in session.Incoming.Values)
        {
            if (
                message
                is not { IsFinished: false, Packet.Qos: QualityOfService.ExactlyOnce, Publication: { } publication }
            )
                continue;
            if (message.Connection != connection.Number)
                continue;
            if (publication.SharedCopies.Exists(copy => copy.Client == session.Client))
                Check(Statements.SharedFinish);
        }
    }

    public void AddOwed(List<Obligation> owed)
    {
        foreach (var delivery in _deliveries.Where(delivery => delivery.IsDue))
        {
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
            if (!delivery.Members.Any(member => member.Session.IsHolding))
                owed.Add(Owed(delivery));
        }
    }

    private void Route(Publication publication, bool certain, string filter)
    {
        var candidates = Run.Sessions.Where(session => session.Subscriptions.ContainsKey(filter)).ToArray();
        if (!certain || !Array.TrueForAll(candidates, session => session.Presence == Presence.Yes && session.IsOnline))
            return;
        if (Array.Exists(Run.Sessions, session => MayBeMember(session, filter)))
            return;
        var delivery = new SharedDelivery(
            publication,
            filter,
            [.. candidates.Select(session => MemberOf(session, filter))]
        );
        if (!delivery.IsUndisturbed || Array.Exists(candidates, session => VariantOf(session).NoLocal))
            return;
        _deliveries.Add(delivery);
        // One empty message looks like another, and over topics that begin with $ a server need not let clients
        // exchange messages.
        if (publication.Packet.Payload.IsEmpty || publication.MayExpire || publication.Topic.StartsWith('$'))
            return;
        // A member that takes small packets only may cause the loss of the message.
        if (Array.Exists(candidates, session => LimitJudge.MayBeTooLarge(session, publication.Packet)))
            return;
        if (Array.Exists(candidates, session => IsLossy(VariantOf(session))))
            return;
        if (
            publication.IsConfused
            || Assumes(
                AssumedFaults.SharedLost
                    | AssumedFaults.MessageLost
                    | AssumedFaults.SubscriptionLost
                    | AssumedFaults.QosAny
            )
        )
            return;
        if (publication.IsWill && Assumes(AssumedFaults.WillLost | AssumedFaults.WillUntimely))
            return;
        delivery.IsDue = true;
        Check(DueStatement(publication));

        SubscriptionVariant VariantOf(ClientSession session) => session.Subscriptions[filter].Variants[0];

        bool IsLossy(SubscriptionVariant variant) => publication.QosAt(variant.Qos) == QualityOfService.AtMostOnce;
    }

    // A will that its client's next connection may have deleted is owed only by a note of the standard.
    private static Statement DueStatement(Publication publication) =>
        publication switch
        {
            { IsWill: true, IsFreedByConnection: true } => Statements.WillAtTakeOver,
            { IsWill: true } => Statements.WillPublished,
            _ => Statements.SharedDelivered,
        };

    private static SharedMember MemberOf(ClientSession session, string filter)
    {
        var subscription = session.Subscriptions[filter];
        return new SharedMember(session, session.Connection!, subscription, subscription.LastRequest);
    }

    private Obligation Owed(SharedDelivery delivery)
    {
        var publication = delivery.Publication;
        var members = string.Join(", ", delivery.Members.Select(member => member.Session.Name));
        var circumstances =
            $"QoS {(int)publication.Qos}{(publication.IsWill ? ", will" : "")}, "
            + $"{Wording.Filter(delivery.Filter, Version)}, topic{Wording.Levels(publication.Topic)}";
        var explanation =
            $"no member of {delivery.Filter} ({members}) gets {publication}, "
            + $"published by {ClientSession.NameOf(publication.Client)} at QoS {(int)publication.Qos}";
        return new Obligation(DueStatement(publication), circumstances, explanation, delivery.Members[0].Session.Client)
        {
            Grace = WillJudge.GraceOf(publication),
            Waive = () => delivery.IsDue = false,
        };
    }

    // A session that ended with its connection may go on for the broker.
    // It does so until the broker has seen that end, or has accepted the next connection.
    private static bool MayBeMember(ClientSession session, string filter) =>
        session.Ended.Exists(ended =>
            ended.Filter == filter
            && ended.Statement == Statements.SessionEnds
            && ended.EndedAt > (session.Connection?.AcceptedAt ?? 0)
        );

    // Whether all who may have got a message are there as they were when it was published.
    // All but the one who gets it now must have acknowledged what they got.
    private bool IsUndisturbed(Publication publication, string filter, ClientSession receiver) =>
        _deliveries.Find(d => d.Publication == publication && d.Filter == filter) is { IsUndisturbed: true } delivery
        && !delivery.Members.Any(member => member.Session != receiver && member.Session.IsHolding);

    // The one shared subscription of a session that matches; null if there are none or several. The server may go on to
    // deliver what it had for one that has ended since (MQTT 5, section 3.10.4).
    private static string? GroupOf(ClientSession session, Publication publication)
    {
        var ended = session.Ended.Where(ended => ended.EndedAt > publication.SentAt);
        var groups = ended
            .Select(ended => new SubscriptionState(ended.Filter, session.Version))
            .Concat(session.Subscriptions.Values)
            .Where(subscription => IsShareOf(subscription, publication))
            .Select(subscription => subscription.Filter)
            .Distinct()
            .ToList();
        return groups.Count == 1 ? groups[0] : null;
    }
}
