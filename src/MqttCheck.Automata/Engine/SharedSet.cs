namespace MqttCheck.Automata.Engine;

/// <summary>A set of shared variables, by number.</summary>
internal readonly struct SharedSet
{
    private readonly ulong[] _words;

    public SharedSet(int variables, IEnumerable<int> members)
    {
        _words = new ulong[(variables + 63) / 64];
        foreach (var member in members)
            _words[member >> 6] |= 1UL << member;
    }

    public bool Contains(int variable) => (_words[variable >> 6] >> variable & 1) != 0;

    public bool Overlaps(in SharedSet other)
    {
        for (var word = 0; word < _words.Length; word++)
            if ((_words[word] & other._words[word]) != 0)
                return true;
        return false;
    }
}
