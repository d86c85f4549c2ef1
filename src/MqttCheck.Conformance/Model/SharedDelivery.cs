namespace MqttCheck.Conformance.Model;

/// <summary>
/// The one copy of a publication that is owed to a shared subscription whose members are all certain and connected. The
/// broker may choose the member. The obligation ends when a member leaves, or when a client joins while the message may
/// still be routed.
/// </summary>
internal sealed class SharedDelivery(Publication publication, string filter, SharedMember[] members)
{
    private bool _hasChanged;

    public Publication Publication => publication;

    /// <summary>The filter with the share name.</summary>
    public string Filter { get; } = filter;

    public IReadOnlyList<SharedMember> Members => members;

    /// <summary>Whether a copy must come.</summary>
    public bool IsDue { get; set; }

    /// <summary>Whether the members are still those of its publication, each on the same connection.</summary>
    public bool IsUndisturbed
    {
        get
        {
            _hasChanged |= !Array.TrueForAll(members, member => member.IsUndisturbed);
            return !_hasChanged;
        }
    }

    /// <summary>Somebody asks to join.</summary>
    public void Join() => _hasChanged = true;

    /// <summary>
    /// Whether a member got a copy that may be the one owed; by which of its subscriptions it came is not told.
    /// </summary>
    public bool HasCopy =>
        Array.Exists(
            members,
            member => member.Session.Expected.TryGetValue(publication, out var expected) && expected.Copies.Count > 0
        );
}
