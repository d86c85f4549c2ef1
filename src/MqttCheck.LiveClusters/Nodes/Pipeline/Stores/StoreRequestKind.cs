namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>The kind of a request to the store. Kinds up to <see cref="Remove"/> are entries of its file too.</summary>
internal enum StoreRequestKind : byte
{
    /// <summary>A broker has started. Answer: how many changes the register has.</summary>
    Start = 1,

    /// <summary>A client connects. Answer: its number, whether it had a session, the change's number.</summary>
    Open,

    /// <summary>A connection is gone.</summary>
    Close,

    /// <summary>A client subscribes.</summary>
    Subscribe,

    /// <summary>A client ends a subscription.</summary>
    Unsubscribe,

    /// <summary>Messages for a session. Answer: where its client is, and identifiers with scores.</summary>
    Add,

    /// <summary>A client has a message of QoS 2.</summary>
    Receive,

    /// <summary>A message was acknowledged. Answer: whether it was there.</summary>
    Remove,

    /// <summary>A session's messages. Answer: these, and the last place of each part of the log.</summary>
    Get,

    /// <summary>Changes of the register, from one on; waits until there is one.</summary>
    Watch,
}
