namespace MqttCheck.Server.Questions;

/// <summary>The models that the page offers, by name. A browser never names a path.</summary>
internal sealed class ModelShelf
{
    private readonly Lock _gate = new();
    private readonly List<ServedModel> _models = [];

    /// <summary>The models, in the order in which they were added.</summary>
    public IReadOnlyList<ServedModel> All
    {
        get
        {
            lock (_gate)
                return [.. _models];
        }
    }

    /// <summary>Reads a model and offers it.</summary>
    /// <param name="file">The file that 'learn' wrote.</param>
    /// <exception cref="InputException">It cannot be read, or is no model.</exception>
    public ServedModel Add(string file)
    {
        var stem = Path.GetFileNameWithoutExtension(file);
        lock (_gate)
        {
            var name = stem;
            for (var number = 2; _models.Exists(model => model.Name == name); number++)
                name = FormattableString.Invariant($"{stem}-{number}");
            var read = ServedModel.Read(file, name);
            _models.Add(read);
            return read;
        }
    }

    /// <summary>The model of a name; null where there is none.</summary>
    public ServedModel? Find(string name)
    {
        lock (_gate)
            return _models.Find(model => model.Name == name);
    }
}
