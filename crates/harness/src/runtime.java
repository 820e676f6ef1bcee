    /* Finds a class of the program, or of Java. */
    static Class<?> named(String name) throws ClassNotFoundException {
        switch (name) {
            case "boolean": return boolean.class;
            case "byte": return byte.class;
            case "short": return short.class;
            case "char": return char.class;
            case "int": return int.class;
            case "long": return long.class;
            case "Object": return Object.class;
            default: return Class.forName(name);
        }
    }

    /* An object as if no constructor had run: the counterexample says what is in it. */
    static Object make(String name) throws Exception {
        java.lang.reflect.Constructor<?> plain = Object.class.getDeclaredConstructor();
        return sun.reflect.ReflectionFactory.getReflectionFactory()
            .newConstructorForSerialization(named(name), plain).newInstance();
    }

    static Object array(String element, int length) throws Exception {
        return java.lang.reflect.Array.newInstance(named(element), length);
    }

    /* A number as a type wants it. */
    static Object fit(Class<?> type, Object value) {
        if (type.isPrimitive() && value == null) value = 0L;
        if (!(value instanceof Long)) return value;
        long number = (Long) value;
        if (type == boolean.class) return number != 0;
        if (type == byte.class) return (byte) number;
        if (type == short.class) return (short) number;
        if (type == char.class) return (char) number;
        if (type == int.class) return (int) number;
        return number;
    }

    static void set(Object object, String name, Object value) throws Exception {
        java.lang.reflect.Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, fit(field.getType(), value));
    }

    static void setElement(Object array, int index, Object value) {
        Class<?> element = array.getClass().getComponentType();
        java.lang.reflect.Array.set(array, index, fit(element, value));
    }

    /* A static field: of the class that its name says, or of the only one that has it. */
    static void setStatic(String name, Object value) throws Exception {
        int dot = name.lastIndexOf('.');
        String of = dot < 0 ? null : name.substring(0, dot), own = name.substring(dot + 1);
        for (String candidate : CLASSES) {
            if (of != null && !of.equals(candidate)) continue;
            for (java.lang.reflect.Field field : named(candidate).getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (!field.getName().equals(own) || !java.lang.reflect.Modifier.isStatic(modifiers)) continue;
                field.setAccessible(true);
                Object wanted = fit(field.getType(), value);
                if (java.util.Objects.equals(field.get(null), wanted)) return;
                field.set(null, wanted);
                return;
            }
        }
        throw new IllegalStateException("there is no static field " + name);
    }

    /* Calls a method, or a constructor, which has the name of its class. */
    static void call(String of, String name, Object self, Object[] arguments) throws Throwable {
        java.util.List<java.lang.reflect.Executable> all = new java.util.ArrayList<>();
        if (name.equals(of)) all.addAll(java.util.Arrays.asList(named(of).getDeclaredConstructors()));
        else for (java.lang.reflect.Method m : named(of).getDeclaredMethods()) if (m.getName().equals(name)) all.add(m);
        for (java.lang.reflect.Executable found : all) {
            Class<?>[] types = found.getParameterTypes();
            boolean fits = types.length == arguments.length;
            Object[] fitted = new Object[arguments.length];
            for (int i = 0; fits && i < types.length; i++) {
                fitted[i] = fit(types[i], arguments[i]);
                fits = fitted[i] == null || types[i].isPrimitive() || types[i].isInstance(fitted[i]);
            }
            if (!fits) continue;
            found.setAccessible(true);
            try {
                if (found instanceof java.lang.reflect.Method) ((java.lang.reflect.Method) found).invoke(self, fitted);
                else ((java.lang.reflect.Constructor<?>) found).newInstance(fitted);
            } catch (java.lang.reflect.InvocationTargetException e) {
                throw e.getCause();
            }
            return;
        }
        throw new IllegalStateException("there is no method " + of + "." + name);
    }
