namespace MqttCheck.Clusters.Properties.Histories;

/// <summary>
/// How many messages of each node had which fate, in equal times of a run. Every message counts in one place, so that
/// none is missing in what is drawn of it, however many there are.
/// </summary>
/// <param name="nodes">How many nodes there are.</param>
/// <param name="lengthNanoseconds">How long the run was.</param>
internal sealed class FateBins(int nodes, long lengthNanoseconds)
{
    /// <summary>How many times a run is divided into.</summary>
    public const int Columns = 400;

    private static readonly int s_fates = Enum.GetValues<MessageFate>().Length;
    private readonly int[] _counts = new int[nodes * s_fates * Columns];

    /// <summary>How many nodes there are.</summary>
    public int Nodes => nodes;

    /// <summary>Counts a message.</summary>
    public void Add(in SentMessage message) => _counts[Place(message.Node, message.Fate, ColumnOf(message))]++;

    /// <summary>The number of messages of a node with a fate, column by column.</summary>
    public ReadOnlySpan<int> Of(int node, MessageFate fate) => _counts.AsSpan(Place(node, fate, 0), Columns);

    /// <summary>The column of a message; what is outside of the run counts at its edge.</summary>
    public int ColumnOf(in SentMessage message) =>
        (int)Math.Clamp((double)Columns * message.SentNanoseconds / Math.Max(1, lengthNanoseconds), 0, Columns - 1);

    private static int Place(int node, MessageFate fate, int column) => (node * s_fates + (int)fate) * Columns + column;
}
