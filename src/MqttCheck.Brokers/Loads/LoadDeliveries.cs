using System.Runtime.CompilerServices;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Handles the messages that arrive at subscribers: identifies each one, and checks whether it is repeated or out of
/// order.
/// </summary>
/// <param name="workload">The workload.</param>
/// <param name="names">The topics and filters.</param>
/// <param name="publishers">The publishers by number.</param>
/// <param name="books">The records of the load.</param>
/// <param name="observer">Who is told, or null.</param>
internal sealed class LoadDeliveries(
    Workload workload,
    LoadTopics names,
    LoadPublisher[] publishers,
    LoadBooks books,
    ILoadObserver? observer
)
{
    private readonly bool _isFanOut = workload.Shape == WorkloadShape.FanOut || names.AreShared;
    private readonly int _receivers = names.AreShared ? workload.Subscribers : workload.ReceiversPerMessage;

    // The largest number that has arrived, by publisher and receiver.
    private readonly long[] _last = Enumerable
        .Repeat(-1L, workload.Publishers * (names.AreShared ? workload.Subscribers : workload.ReceiversPerMessage))
        .ToArray();

    /// <summary>A message has arrived.</summary>
    /// <param name="subscriber">The subscriber that received it.</param>
    /// <param name="publisher">The publisher of its topic, or -1.</param>
    /// <param name="message">The message.</param>
    /// <param name="atNanoseconds">When.</param>
    public void Take(LoadSubscriber subscriber, int publisher, in PublishView message, long atNanoseconds)
    {
        if (publisher < 0 || !TryNumber(ref publisher, message.Payload, out var number))
        {
            books.Counters.Strays++;
            observer?.Strayed(subscriber.Number, subscriber.Node, publisher, message, atNanoseconds);
            return;
        }
        observer?.Delivered(subscriber.Number, subscriber.Node, publisher, number, message, atNanoseconds);
        var owner = publishers[publisher];
        ref var slot = ref owner.Messages.Find(number);
        var receiver = _isFanOut ? subscriber.Number : 0;
        if (Unsafe.IsNullRef(ref slot) || !owner.Messages.TryReceive(ref slot, receiver))
        {
            books.NoteRepeat(publisher, number, message, atNanoseconds);
            return;
        }
        slot.Narrow(atNanoseconds);
        ref var last = ref _last[publisher * (long)_receivers + receiver];
        if (number > last)
        {
            last = number;
        }
        else
        {
            books.Counters.Reordered++;
            slot.Flags |= SlotFlags.Reordered;
        }
        slot.Delivered = Math.Max(slot.Delivered, atNanoseconds);
        if (
            subscriber.OfflineSince != LoadMessage.None
            && slot.Sent <= subscriber.OfflineUntil
            && atNanoseconds >= subscriber.OfflineSince
        )
            slot.Flags |= SlotFlags.Offline;
        books.NoteDelivery(slot, atNanoseconds);
        if (slot.Deliveries != owner.Receivers)
            return;
        owner.Delivered(ref slot, atNanoseconds);
        owner.Continue();
    }

    private bool TryNumber(ref int publisher, ReadOnlySpan<byte> payload, out long number)
    {
        if (names.AreShared)
        {
            if (
                !workload.Payload.TryReadNumber(payload, out number)
                && workload.WarmUpPayload?.TryReadNumber(payload, out number) != true
            )
                return false;
            (publisher, number) = names.FromPayload(publisher, number);
            return number < publishers[publisher].Messages.Next;
        }
        var next = publishers[publisher].Messages.Next;
        if (workload.Payload.TryReadNumber(payload, out var low))
            return (number = workload.Payload.Complete(low, next)) >= 0;
        number = -1;
        return workload.WarmUpPayload is { } warmUp
            && warmUp.TryReadNumber(payload, out low)
            && (number = warmUp.Complete(low, next)) >= 0;
    }
}
