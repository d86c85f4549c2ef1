using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Brokers.Loads;

/// <summary>Counts, times and logs every message of a load from its opening to its one outcome.</summary>
/// <param name="setup">The run.</param>
/// <param name="schedule">Its times.</param>
/// <param name="sink">Takes the messages, or null.</param>
/// <param name="fail">Told when the sink fails, once.</param>
internal sealed class LoadBooks(LoadSetup setup, LoadSchedule schedule, ILoadSink? sink, Action<Exception> fail)
{
    private readonly bool _isFanOut =
        setup.Workload.Shape == WorkloadShape.FanOut || setup.Topics is { AreShared: true };
    private readonly bool _isOpenLoop = setup.Workload.IsOpenLoop;
    private ILoadSink? _sink = sink;
    private NagleDelays _delayedAcknowledgements;

    public LoadCounters Counters { get; } = new();

    public LoadTimes Times { get; } = new();

    /// <summary>Watches when latencies become stationary.</summary>
    public WarmUpDetector WarmUp { get; } = new();

    /// <summary>Watches for acknowledgements that come only after the next message.</summary>
    public HeldAnswers Held { get; } = new();

    /// <summary>The share of latencies in the mode of delayed acknowledgements.</summary>
    public double DelayedAcknowledgementShare => _delayedAcknowledgements.Share;

    /// <summary>How many messages have no outcome yet.</summary>
    public long Open { get; private set; }

    /// <summary>How many were sent, warm-up included.</summary>
    public long Sent { get; private set; }

    /// <summary>How many first deliveries there were, warm-up included.</summary>
    public long Delivered { get; private set; }

    /// <summary>
    /// The largest payload that the broker has acknowledged or delivered, warm-up included, in bytes; -1 before it has
    /// any.
    /// </summary>
    public int LargestTakenBytes { get; private set; } = -1;

    /// <summary>The broker has acknowledged or delivered a message.</summary>
    public void NoteTaken(in MessageSlot slot) => LargestTakenBytes = Math.Max(LargestTakenBytes, slot.Bytes);

    /// <summary>A message was opened.</summary>
    public void NoteOpened() => Open++;

    /// <summary>A message was handed to the socket.</summary>
    public void NoteSent(in MessageSlot slot)
    {
        Sent++;
        if (schedule.Counts(slot.Sent))
            Counters.SentInWindow++;
        if (slot.Has(SlotFlags.WarmUp))
            return;
        Times.Lag.Add(slot.Sent - slot.Intended);
        Times.OwnLag.Add(slot.Sent - slot.Ready);
    }

    /// <summary>A message has come to a receiver for the first time.</summary>
    public void NoteDelivery(in MessageSlot slot, long atNanoseconds)
    {
        Delivered++;
        NoteTaken(slot);
        if (schedule.Counts(atNanoseconds))
            Counters.DeliveriesInWindow++;
        if (slot.Has(SlotFlags.WarmUp))
            return;
        Counters.Deliveries++;
        if (_isFanOut && !slot.Has(SlotFlags.Offline))
            Times.EachDelivery.Add(atNanoseconds - slot.Sent);
    }

    /// <summary>A message has come to a receiver that has it already.</summary>
    /// <param name="publisher">Its publisher.</param>
    /// <param name="number">Its number.</param>
    /// <param name="message">The packet of the repetition.</param>
    /// <param name="atNanoseconds">When.</param>
    public void NoteRepeat(int publisher, long number, in PublishView message, long atNanoseconds)
    {
        if (message.Duplicate)
            Counters.Redeliveries++;
        else
            Counters.Duplicates++;
        if (_sink is null)
            return;
        try
        {
            _sink.AppendRepeat(
                new(
                    publisher,
                    number,
                    message.Qos,
                    message.Payload.Length,
                    schedule.Relative(atNanoseconds),
                    message.Duplicate
                )
            );
        }
        catch (IOException failure)
        {
            GiveUp(failure);
        }
    }

    /// <summary>The outcome of a message is known.</summary>
    /// <param name="publisher">Its publisher.</param>
    /// <param name="slot">The message.</param>
    /// <param name="outcome">Its outcome.</param>
    public void Close(int publisher, in MessageSlot slot, LoadOutcome outcome)
    {
        Open--;
        if (slot.Has(SlotFlags.WarmUp))
        {
            Counters.WarmUpMessages++;
            if (outcome != LoadOutcome.Delivered)
                Counters.WarmUpFailed++;
        }
        else
        {
            Counters[outcome]++;
            Measure(slot, outcome);
        }
        Log(publisher, slot, outcome);
    }

    private void Measure(in MessageSlot slot, LoadOutcome outcome)
    {
        var isOffline = slot.Has(SlotFlags.Offline);
        if (slot.Acknowledged != LoadMessage.None && outcome != LoadOutcome.Refused)
            Times.Acknowledgement.Add(slot.Acknowledged - slot.Sent);
        if (outcome != LoadOutcome.Delivered)
        {
            if (isOffline)
                Counters.NotCaughtUp++;
            return;
        }
        // The message had no receiver.
        if (slot.Deliveries == 0)
            return;
        if (isOffline)
        {
            Counters.CaughtUp++;
            Times.CatchUp.Add(slot.Delivered - slot.Sent);
            return;
        }
        Times.Service.Add(slot.Delivered - slot.Sent);
        var latency = slot.Delivered - (_isOpenLoop ? slot.Intended : slot.Sent);
        Times.Latency.Add(latency);
        _delayedAcknowledgements.Add(latency / 1e6);
        WarmUp.Add(latency / 1e6, schedule.Relative(slot.Delivered) / 1e9, publication: true);
    }

    private void Log(int publisher, in MessageSlot slot, LoadOutcome outcome)
    {
        if (_sink is null)
            return;
        try
        {
            _sink.Append(
                new()
                {
                    Publisher = publisher,
                    Number = slot.Number,
                    IsWarmUp = slot.Has(SlotFlags.WarmUp),
                    IsOffline = slot.Has(SlotFlags.Offline),
                    IsReordered = slot.Has(SlotFlags.Reordered),
                    Qos = setup.Workload.QosOf(publisher),
                    PayloadBytes = slot.Bytes,
                    IntendedNanoseconds = slot.Intended - schedule.Start,
                    SentNanoseconds = schedule.Relative(slot.Sent),
                    SendBoundNanoseconds = slot.SendBound,
                    AcknowledgedNanoseconds = schedule.Relative(slot.Acknowledged),
                    DeliveredNanoseconds = schedule.Relative(slot.Delivered),
                    Deliveries = slot.Deliveries,
                    Outcome = outcome,
                }
            );
        }
        catch (IOException failure)
        {
            GiveUp(failure);
        }
    }

    private void GiveUp(IOException failure)
    {
        _sink = null;
        fail(failure);
    }
}
