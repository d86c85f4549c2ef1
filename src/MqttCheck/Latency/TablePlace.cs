namespace MqttCheck.Latency;

/// <summary>Where a <see cref="QuantileTable"/> lies among the knots of a model, and how a uniform number finds its interval.</summary>
internal readonly struct TablePlace
{
    public readonly double Split, BodyScale, TailScale;
    public readonly int Offset, Body;

    public TablePlace(int offset, QuantileTable table)
    {
        Offset = offset;
        if (table.HasTail)
        {
            Split = QuantileTable.Split;
            Body = QuantileTable.BodyIntervals;
            BodyScale = QuantileTable.BodyIntervals / QuantileTable.Split;
            TailScale = QuantileTable.TailIntervals / (1 - QuantileTable.Split);
        }
        else
        {
            Split = 1;
            Body = table.KnotsMilliseconds.Length - 1;
            BodyScale = Body;
        }
    }
}
