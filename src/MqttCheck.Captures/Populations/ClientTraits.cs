namespace MqttCheck.Captures.Populations;

/// <summary>The features of a client that are alike or not: clients of one group agree in them.</summary>
/// <param name="Publishes">The patterns of the topics that it publishes to.</param>
/// <param name="Receives">
/// The patterns of the topics that it is subscribed to, each with whether it receives nearly all of such topics.
/// </param>
/// <param name="PublishQos">The qualities of service that its publications had.</param>
/// <param name="IsRetained">Whether the broker keeps most of its publications.</param>
internal sealed record ClientTraits(
    SortedSet<string> Publishes,
    SortedSet<string> Receives,
    SortedSet<int> PublishQos,
    bool IsRetained
)
{
    /// <summary>The same in a text, which is equal for clients that agree.</summary>
    public string Key =>
        string.Join('\n', [.. Publishes, "", .. Receives, "", .. PublishQos.Select(qos => $"{qos}"), $"{IsRetained}"]);

    /// <summary>Whether a client that was seen too seldom, or not from its beginning, may be of another kind.</summary>
    /// <param name="other">The other kind.</param>
    /// <param name="isSeldom">Whether it sent too little to show all that it does.</param>
    public bool MayBe(ClientTraits other, bool isSeldom) =>
        Receives.IsSubsetOf(other.Receives)
        && (
            isSeldom
                ? Publishes.IsSubsetOf(other.Publishes) && PublishQos.IsSubsetOf(other.PublishQos)
                : Publishes.SetEquals(other.Publishes)
                    && PublishQos.SetEquals(other.PublishQos)
                    && IsRetained == other.IsRetained
        );
}
