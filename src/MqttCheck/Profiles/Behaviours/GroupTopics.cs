namespace MqttCheck.Profiles.Behaviours;

/// <summary>
/// The numbers of the topics and filters that the clients of a group use. A client has its own where a stride is not 0.
/// </summary>
/// <param name="Publish">The first topic to publish to.</param>
/// <param name="PublishStride">How many topics lie between those of two clients.</param>
/// <param name="Subscribe">The first topic or filter to subscribe to.</param>
/// <param name="SubscribeStride">How many lie between those of two clients.</param>
/// <param name="Subscribed">How many a client can subscribe to.</param>
/// <param name="First">The topic of the first message after connecting; -1 for none.</param>
/// <param name="FirstStride">How many topics lie between those of two clients.</param>
internal readonly record struct GroupTopics(
    int Publish,
    int PublishStride,
    int Subscribe,
    int SubscribeStride,
    int Subscribed,
    int First,
    int FirstStride
)
{
    /// <summary>The topics of a profile whose clients share all of them and are alone.</summary>
    /// <param name="profile">The profile.</param>
    public static GroupTopics Shared(UsageProfile profile) =>
        new(0, 0, 0, 0, profile.Filters.Count > 0 ? profile.Filters.Count : profile.Topics, -1, 0);
}
