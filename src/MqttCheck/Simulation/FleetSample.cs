using System.Runtime.InteropServices;

namespace MqttCheck.Simulation;

/// <summary>
/// The counted sequences of simulated replications, in flat arrays: sequence s (from 1) of client c in replication r
/// stands at <c>(r * Clients + c) * Sequences + s - 1</c>. Resets between sequences are simulated but do not count.
/// </summary>
internal sealed class FleetSample
{
    private readonly double[] _worst,
        _worstPublish;
    private readonly int[] _issueIndex;
    private FleetTotals _totals;

    internal FleetSample(int replications, int clients, int sequences, bool detailed)
    {
        (Replications, Clients, Sequences) = (replications, clients, sequences);
        var count = checked(replications * clients * sequences);
        _worst = new double[count];
        _worstPublish = detailed ? new double[count] : [];
        _issueIndex = detailed ? new int[count] : [];
    }

    /// <summary>How many replications were simulated.</summary>
    public int Replications { get; }

    /// <summary>How many clients each has.</summary>
    public int Clients { get; }

    /// <summary>How many sequences of each client count.</summary>
    public int Sequences { get; }

    /// <summary>The largest latency of each sequence, in milliseconds.</summary>
    public ReadOnlySpan<double> WorstMilliseconds => _worst;

    /// <summary>
    /// The largest latency of a publication in each sequence, in milliseconds, 0 without publications; empty unless
    /// details were asked for.
    /// </summary>
    public ReadOnlySpan<double> WorstPublishMilliseconds => _worstPublish;

    /// <summary>
    /// The order in which the counted sequences of a replication began, from 0; empty unless details were asked for.
    /// </summary>
    public ReadOnlySpan<int> IssueIndex => _issueIndex;

    /// <summary>How many exchanges were simulated, those that do not count included.</summary>
    public long Exchanges => _totals.Exchanges;

    /// <summary>
    /// How many events were simulated: starts, continuations and ends of exchanges (a start that follows an end without
    /// waiting is part of its event).
    /// </summary>
    public long Events => _totals.Events;

    /// <summary>Mean over the counted exchanges of the open exchanges at their start, the own included.</summary>
    public double MeanActive => (double)_totals.CountedActive / Math.Max(1, _totals.CountedExchanges);

    /// <summary>The most exchanges that were open at once.</summary>
    public int MaximumActive => _totals.MaximumActive;

    internal bool IsDetailed => _issueIndex.Length > 0;

    internal void Record(int replication, int client, int sequence, double worst) =>
        _worst[IndexOf(replication, client, sequence)] = worst;

    internal void RecordDetails(int replication, int client, int sequence, double worstPublish, int issueIndex)
    {
        var index = IndexOf(replication, client, sequence);
        _worstPublish[index] = worstPublish;
        _issueIndex[index] = issueIndex;
    }

    /// <summary>Takes over a replication that was simulated by itself.</summary>
    internal void Put(int replication, FleetSample one)
    {
        var first = replication * Clients * Sequences;
        one._worst.CopyTo(_worst, first);
        if (IsDetailed)
        {
            one._worstPublish.CopyTo(_worstPublish, first);
            one._issueIndex.CopyTo(_issueIndex, first);
        }
        Add(in one._totals);
    }

    /// <summary>Writes a sample, so that <see cref="Read"/> makes the same of it.</summary>
    internal void Write(BinaryWriter writer)
    {
        writer.Write(MemoryMarshal.AsBytes(_worst.AsSpan()));
        writer.Write(MemoryMarshal.AsBytes(_worstPublish.AsSpan()));
        writer.Write(MemoryMarshal.AsBytes(_issueIndex.AsSpan()));
        writer.Write(_totals.Events);
        writer.Write(_totals.Exchanges);
        writer.Write(_totals.CountedExchanges);
        writer.Write(_totals.CountedActive);
        writer.Write(_totals.MaximumActive);
    }

    /// <summary>Reads one replication.</summary>
    internal static FleetSample Read(BinaryReader reader, int clients, int sequences, bool detailed)
    {
        var sample = new FleetSample(1, clients, sequences, detailed);
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(sample._worst.AsSpan()));
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(sample._worstPublish.AsSpan()));
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(sample._issueIndex.AsSpan()));
        sample.Add(
            new()
            {
                Events = reader.ReadInt64(),
                Exchanges = reader.ReadInt64(),
                CountedExchanges = reader.ReadInt64(),
                CountedActive = reader.ReadInt64(),
                MaximumActive = reader.ReadInt32(),
            }
        );
        return sample;
    }

    private int IndexOf(int replication, int client, int sequence) =>
        (replication * Clients + client) * Sequences + sequence - 1;

    internal void Add(in FleetTotals totals) => _totals = _totals.Plus(totals);
}
