namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>
/// The store of persistent sessions in memory: what the scripts of the article do on a Redis server, each atomically.
/// </summary>
/// <remarks>
/// A packet identifier follows the last one of its session, and 1 follows 65 535. Its score is one more than the
/// highest one, or than the last identifier where nothing is stored. An identifier that comes round while its old
/// message is still stored replaces that message.
/// A stage that ends between its work and its commit does the work again. The messages of one part of the log come in
/// their order, so that one that is not behind the last one of its part was taken before.
/// Source: "MQTT Broker Architectural Enhancements for High-Performance P2P Messaging: TBMQ Scalability and Reliability
/// in Distributed IoT Systems".
/// </remarks>
/// <param name="options">Limit and lifetime.</param>
/// <param name="mutant">The rule that is broken.</param>
internal sealed class SessionStoreModel(StoreOptions options, PipelineMutant mutant = PipelineMutant.None)
{
    private readonly Dictionary<int, Session> _sessions = [];

    /// <summary>Sets the last packet identifier of a session, as if so many messages had come and gone.</summary>
    public void SetLast(int client, ushort packetId) => Of(client).Last = packetId;

    /// <summary>Adds messages behind those of a session, and removes the oldest above the limit.</summary>
    /// <returns>
    /// The messages with their identifiers and scores, in their order. Of those that were taken before, only the ones
    /// that their client does not have.
    /// </returns>
    public IReadOnlyList<StoredMessage> Add(int client, IReadOnlyList<PipelineMessage> messages, long now)
    {
        var session = Of(client);
        var highest = session.ByScore.Count > 0 ? session.ByScore.Max.Score : (long?)null;
        var last = mutant == PipelineMutant.IdFromScore && highest is { } top ? (int)top : session.Last;
        var score = highest ?? last;
        var stored = new List<StoredMessage>(messages.Count);
        foreach (var message in messages)
        {
            if (message.Place is { } place && !session.Take(place) && mutant != PipelineMutant.StoreAgain)
            {
                stored.AddRange(session.Waiting(place, now));
                continue;
            }
            last = last == 65_535 ? 1 : last + 1;
            score = mutant == PipelineMutant.ScoreIsPacketId ? last : score + 1;
            var added = new StoredMessage((ushort)last, score, message);
            session.Put(added, now + options.LifetimeNanoseconds);
            stored.Add(added);
        }
        session.Last = last;
        while (session.ByScore.Count > options.Limit)
            session.Drop(session.ByScore.Min.PacketId);
        return stored;
    }

    /// <summary>Notes that the client of a session has a message of QoS 2.</summary>
    public void Receive(int client, ushort packetId) => Of(client).Receive(packetId);

    /// <summary>Removes a message that its session has acknowledged.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(int client, ushort packetId) => Of(client).Drop(packetId);

    /// <summary>
    /// Removes the expired messages of a session and returns the others, which are unacknowledged, in order.
    /// </summary>
    public IReadOnlyList<StoredMessage> Get(int client, long now)
    {
        var session = Of(client);
        foreach (var (_, packetId) in session.ByScore.ToArray())
        {
            if (session.Messages[packetId].ExpiresAt <= now)
                session.Drop(packetId);
        }
        return [.. session.ByScore.Select(entry => session.Messages[entry.PacketId].Stored)];
    }

    /// <summary>As <see cref="Get"/>, with what the session was given so far.</summary>
    public StoredSession Read(int client, long now) =>
        new(Get(client, now), new Dictionary<int, long>(Of(client).Places));

    /// <summary>Forgets a session that is over.</summary>
    public void Forget(int client) => _sessions.Remove(client);

    /// <summary>How many references a session has, those to expired messages included.</summary>
    public int Count(int client) => Of(client).ByScore.Count;

    private Session Of(int client)
    {
        var session = _sessions.GetOrNew(client);
        return session;
    }

    private sealed class Session
    {
        public int Last { get; set; }

        /// <summary>The last place of each part of the log.</summary>
        public Dictionary<int, long> Places { get; } = [];

        // Equal scores, which only a mutant makes, are ordered by identifier.
        public SortedSet<(long Score, ushort PacketId)> ByScore { get; } = [];

        public Dictionary<ushort, (StoredMessage Stored, long ExpiresAt)> Messages { get; } = [];

        public bool Take(LogPlace place)
        {
            if (Places.TryGetValue(place.Partition, out var last) && last >= place.Offset)
                return false;
            Places[place.Partition] = place.Offset;
            return true;
        }

        public IEnumerable<StoredMessage> Waiting(LogPlace place, long now) =>
            Messages
                .Values.Where(entry => entry.ExpiresAt > now)
                .Select(entry => entry.Stored)
                .Where(stored => stored.Message.Place == place && !stored.IsReceived);

        public void Receive(ushort packetId)
        {
            if (Messages.TryGetValue(packetId, out var entry))
                Messages[packetId] = entry with { Stored = entry.Stored with { IsReceived = true } };
        }

        public void Put(in StoredMessage stored, long expiresAt)
        {
            Drop(stored.PacketId);
            Messages.Add(stored.PacketId, (stored, expiresAt));
            ByScore.Add((stored.Score, stored.PacketId));
        }

        public bool Drop(ushort packetId)
        {
            if (!Messages.Remove(packetId, out var entry))
                return false;
            ByScore.Remove((entry.Stored.Score, packetId));
            return true;
        }
    }
}
