using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>An open message. Times are on the wire's clock.</summary>
internal struct MessageSlot
{
    public long Number;
    public long Intended;

    // The time from which only the generator delayed it: the intended time, or later, when the window had room again.
    public long Ready;
    public long Sent;

    // The largest error of the send time.
    public long SendBound;
    public long Acknowledged;
    public long Delivered;

    // The print of the payload, for an observer; otherwise 0.
    public long PayloadPrint;
    public int Deliveries;
    public int Bytes;
    public SlotFlags Flags;

    /// <summary>Narrows the time of sending by the arrival of an answer.</summary>
    public void Narrow(long answer)
    {
        var stamp = new SendStamp(Sent, SendBound) { IsCall = Has(SlotFlags.SentByCall) }.NarrowedBy(answer);
        (Sent, SendBound) = (stamp.Nanoseconds, stamp.BoundNanoseconds);
    }

    public readonly bool Has(SlotFlags flag) => (Flags & flag) != 0;
}
