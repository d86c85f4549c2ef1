namespace MqttCheck.Shards;

/// <summary>
/// Independent replications, numbered from 0. The outcome of a replication follows from the job and its number, since
/// every random stream is named by them. So it does not matter who computes it, when, or how often.
/// </summary>
/// <typeparam name="TOutcome">The outcome of one replication.</typeparam>
public abstract class ReplicationJob<TOutcome> : IReplicationJob
{
    /// <summary>Makes a simulator with memory of its own; one thread at a time may use it.</summary>
    /// <returns>From the number of a replication to its outcome.</returns>
    /// <exception cref="InputException">A value of the job is not allowed.</exception>
    public abstract Func<int, CancellationToken, TOutcome> Start();

    /// <summary>The description with which another process can compute the same outcomes.</summary>
    /// <exception cref="InputException">The job holds what cannot be described, such as a model of a test.</exception>
    public abstract JobDescription Describe();

    /// <inheritdoc/>
    public Func<Shard, CancellationToken, byte[]> StartShards()
    {
        var simulate = Start();
        return (shard, cancellation) =>
        {
            using var bytes = new MemoryStream();
            using (var writer = new BinaryWriter(bytes))
            {
                for (var number = shard.First; number < shard.End; number++)
                    Write(writer, simulate(number, cancellation));
            }
            return bytes.ToArray();
        };
    }

    /// <summary>Reads the outcomes of a shard.</summary>
    /// <param name="shard">Which shard.</param>
    /// <param name="bytes">The bytes that <see cref="StartShards"/> yielded for it.</param>
    /// <exception cref="InvalidDataException">The bytes are too few or too many.</exception>
    public TOutcome[] Read(Shard shard, byte[] bytes)
    {
        var outcomes = new TOutcome[shard.Count];
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        try
        {
            for (var i = 0; i < outcomes.Length; i++)
                outcomes[i] = Read(reader);
        }
        catch (EndOfStreamException tooFew)
        {
            throw new InvalidDataException($"The outcomes of {shard} end too early.", tooFew);
        }
        return reader.BaseStream.Position == bytes.Length
            ? outcomes
            : throw new InvalidDataException($"The outcomes of {shard} have more bytes than belong to them.");
    }

    /// <summary>Writes an outcome.</summary>
    /// <param name="writer">Receives the outcome.</param>
    /// <param name="outcome">The outcome.</param>
    protected abstract void Write(BinaryWriter writer, TOutcome outcome);

    /// <summary>Reads an outcome, bit for bit what was written.</summary>
    /// <param name="reader">The source of the outcome.</param>
    protected abstract TOutcome Read(BinaryReader reader);
}
