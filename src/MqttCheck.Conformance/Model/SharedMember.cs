namespace MqttCheck.Conformance.Model;

/// <summary>A member of a shared subscription as it was when a message was published.</summary>
/// <param name="Session">The session.</param>
/// <param name="Connection">Its connection.</param>
/// <param name="Subscription">Its subscription.</param>
/// <param name="LastRequest">The last request for the filter.</param>
internal sealed record SharedMember(
    ClientSession Session,
    ObservedConnection Connection,
    SubscriptionState Subscription,
    int LastRequest
)
{
    /// <summary>
    /// Whether the client is on the same connection still, and has asked for nothing that could change its
    /// subscription.
    /// </summary>
    public bool IsUndisturbed =>
        Session.Connection == Connection
        && Connection is { IsClosed: false, Disconnected: false, Defect: null, IsTakenOver: false }
        && Subscription.LastRequest == LastRequest
        && Subscription.IsCertain;
}
