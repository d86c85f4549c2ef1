namespace MqttCheck.ClusterProtocols.Pipeline;

/// <content>What happens to the packs of the log.</content>
internal sealed partial class PipelineBroker
{
    private bool CommitsEarly(PackConsumer consumer) =>
        _options.Mutant == PipelineMutant.CommitBeforeStore && consumer.Source.Topic == LogTopic.Device;

    private void Poll(PackConsumer consumer) =>
        _output.Poll(consumer.Source, _options.PackSize, Remember(OfPack(consumer)));

    private void Commit(PackConsumer consumer) =>
        _output.Commit(consumer.Source, consumer.Next, Remember(OfPack(consumer)));

    private static Request OfPack(PackConsumer consumer) => new(RequestKind.Pack) { Consumer = consumer };

    private void Process(PackConsumer consumer, long now)
    {
        consumer.HasFailed = false;
        // The count begins at one, so that the pack is not complete before all of its requests are made.
        consumer.Pending = 1;
        switch (consumer.Source.Topic)
        {
            case LogTopic.All:
                var first = consumer.Next - consumer.Pack.Count;
                foreach (var (i, record) in consumer.Pack.Index())
                    Route(
                        consumer,
                        record.Stored.Message with
                        {
                            Place = new LogPlace(consumer.Source.Number, first + i),
                        }
                    );
                break;
            case LogTopic.Device:
                Store(consumer);
                break;
            case LogTopic.Downlink:
                foreach (var record in consumer.Pack)
                    Send(record.Client, record.Stored);
                break;
        }
        Complete(consumer, succeeded: true, now);
    }

    private void Route(PackConsumer consumer, in PipelineMessage message)
    {
        foreach (var subscriber in _output.SubscribersOf(message))
        {
            var stored = new StoredMessage(0, 0, message);
            if (subscriber.IsPersistent && Math.Min(subscriber.Qos, message.Qos) > 0)
            {
                var partition = new LogPartition(LogTopic.Device, subscriber.Client % _options.Partitions);
                consumer.Pending++;
                Append(partition, new LogRecord(subscriber.Client, stored), OfPack(consumer));
            }
            else
                Dispatch(consumer, subscriber.Client, stored);
        }
    }

    // The messages of a client make one request, in the order of the log.
    private void Store(PackConsumer consumer)
    {
        foreach (var group in consumer.Pack.GroupBy(record => record.Client))
        {
            consumer.Waiting.Enqueue((group.Key, [.. group.Select(record => record.Stored.Message)]));
            consumer.Pending++;
        }
        FillStore(consumer);
    }

    private void FillStore(PackConsumer consumer)
    {
        while (consumer.InFlight < _options.StoreRequestsInFlight && consumer.Waiting.TryDequeue(out var next))
        {
            consumer.InFlight++;
            var request = OfPack(consumer) with { Client = next.Client };
            _output.Add(next.Client, next.Messages, Remember(request));
        }
    }

    private void Dispatch(PackConsumer consumer, int client, in StoredMessage stored)
    {
        var node = _output.NodeOf(client);
        if (node == _self)
            Send(client, stored);
        else if (node >= 0)
        {
            consumer.Pending++;
            Append(new LogPartition(LogTopic.Downlink, node), new LogRecord(client, stored), OfPack(consumer));
        }
    }

    private void Complete(PackConsumer consumer, bool succeeded, long now)
    {
        consumer.HasFailed |= !succeeded;
        if (--consumer.Pending > 0)
            return;
        // A pack for persistent sessions is tried again a few times; every other one is committed all the same.
        if (consumer is { HasFailed: true, Source.Topic: LogTopic.Device, Tries: < MostRetries })
            consumer.RetryAt = now + _options.RetryNanoseconds;
        else if (CommitsEarly(consumer))
            Poll(consumer);
        else
            Commit(consumer);
    }

    private void Send(int client, in StoredMessage stored)
    {
        if (!_sessions.TryGetValue(client, out var session))
            return;
        if (session.IsReady)
            Send(client, session, stored);
        else
            session.Held.Add(stored);
    }

    private void Send(int client, PipelineSession session, in StoredMessage stored)
    {
        if (!session.Take(stored))
            return;
        if (stored.PacketId > 0)
            session.InFlight.Add(stored.PacketId);
        _output.Deliver(client, stored);
    }

    private void SendAgain(int client, PipelineSession session, in StoredMessage stored)
    {
        session.InFlight.Add(stored.PacketId);
        if (stored.IsReceived)
            _output.Release(client, stored.PacketId);
        else
            _output.Deliver(client, stored);
    }
}
