namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The kinds of frames that two nodes exchange about their messages.</summary>
internal enum TransportFrameKind
{
    /// <summary>A message, sent for the first time or again.</summary>
    Data,

    /// <summary>Everything up to a sequence number has arrived.</summary>
    Acknowledgement,

    /// <summary>A range of sequence numbers is missing.</summary>
    GapRequest,
}
