namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The control messages that travel inside PINGREQ, and their bytes.</summary>
internal interface IPingContent
{
    /// <summary>Whether a kind of control message does.</summary>
    bool Carries(byte controlKind);

    /// <summary>Writes a control message.</summary>
    /// <param name="to">At least <see cref="HopBytes.StatementBytes"/> bytes.</param>
    /// <param name="statement">The message.</param>
    void Write(Span<byte> to, in PeerMessage statement);

    /// <summary>Reads a control message.</summary>
    /// <param name="from">All bytes of the PINGREQ after its length.</param>
    /// <param name="nodes">How many nodes there are.</param>
    /// <param name="statement">The message.</param>
    /// <returns>False for what no node writes.</returns>
    bool TryRead(ReadOnlySpan<byte> from, int nodes, out PeerMessage statement);
}
