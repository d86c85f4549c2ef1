namespace MqttCheck.Conformance;

/// <summary>What the generator remembers of a client, as far as it matters for what may come next.</summary>
internal struct ClientSketch
{
    public bool IsConnected, IsHolding, Persists, HasCut;
    public List<string> Filters;
}
