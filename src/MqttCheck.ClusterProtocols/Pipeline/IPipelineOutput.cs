namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>
/// The actions of a broker of the pipeline, and its knowledge of the others. A token comes back with the answer.
/// </summary>
internal interface IPipelineOutput
{
    /// <summary>Appends a record; <see cref="PipelineBroker.Appended"/> answers, in order for each partition.</summary>
    void Append(LogPartition partition, in LogRecord record, long token);

    /// <summary>Asks for what follows the committed records; <see cref="PipelineBroker.Polled"/> answers.</summary>
    void Poll(LogPartition partition, int most, long token);

    /// <summary>Says what is done; <see cref="PipelineBroker.Committed"/> answers.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="next">The place behind the last record that is done.</param>
    /// <param name="token">Comes back with the answer.</param>
    void Commit(LogPartition partition, long next, long token);

    /// <summary>Stores messages of a session; <see cref="PipelineBroker.Added"/> answers.</summary>
    void Add(int client, IReadOnlyList<PipelineMessage> messages, long token);

    /// <summary>
    /// Lets the store know that a client has a message of QoS 2; <see cref="PipelineBroker.Received"/> answers.
    /// </summary>
    void Receive(int client, ushort packetId, long token);

    /// <summary>Removes what a session has acknowledged; nothing answers.</summary>
    void Remove(int client, ushort packetId);

    /// <summary>Asks for the messages of a session; <see cref="PipelineBroker.Got"/> answers.</summary>
    void Get(int client, long token);

    /// <summary>Acknowledges a publication.</summary>
    void AcknowledgePublication(int client, long message);

    /// <summary>Sends a message to a client of this broker.</summary>
    void Deliver(int client, in StoredMessage stored);

    /// <summary>Releases a message of QoS 2 that a client has (PUBREL).</summary>
    void Release(int client, ushort packetId);

    /// <summary>The broker that a client is connected to; -1 for none.</summary>
    int NodeOf(int client);

    /// <summary>Who gets a message: its subscribers, and one of each group of a shared subscription.</summary>
    IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message);
}
